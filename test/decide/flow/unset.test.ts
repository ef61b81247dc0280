/** The built-in denials, where a variable that nothing in the line sets would leave a removal with the root or the home folder. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { decideIn } from '../world.js';

const denied: readonly string[] = [
  'rm -rf $x/*',
  'rm -rf "$x"/*',
  'rm -rf "$x/"*',
  'rm -rf "${dir}"/*',
  'rm -rf /$x',
  'rm -rf ~/$x',
  'rm -rf "$HOME/$x"',
  'rm -rf /$x$y',
  'rm -rf "${x:+a}"/*',
  'sudo rm -rf $x/*',
  'if true; then rm -rf $x/; fi',
  'ls && rm -rf "$build_dir"/*',
  'cd $dir && rm -rf *',
  'chmod -R 777 $dir/',
  'unset dir; rm -rf $dir/*',
  'unset -v other dir; rm -rf "$dir"/*',
  'rm -rf "$1"/*',
  'rm -rf $*/',
  'local_dir=$1; rm -rf "$local_dir"/*',
  "eval 'rm -rf $x/*'",
  'bash -c \'rm -rf "$1"/*\'',
  'sh -c \'rm -rf "$1"/*\' _',
];

/** The environment may hold a variable in capitals, or not: Steam's `rm -rf "$STEAMROOT/"*`. */
const asked: readonly string[] = [
  'rm -rf $BUILD/*',
  'rm -rf "$STEAMROOT/"*',
  'rm -rf ${OUT_DIR}/',
  'sudo rm -rf "$PREFIX/lib"',
  'rm -rf "${BUILD_DIR%/}"/*',
  'out=$BUILD; rm -rf "$out"/*',
  "cd src; eval 'rm -rf $BUILD/*'; ls",
  // A function that is called without what it takes; it may have looked for that.
  'f() { rm -rf "$1"/*; }; f',
  'wipe() { sudo rm -rf "/$1"; }; wipe tmp/x; wipe',
  'function f { rm -rf /"$@"; }; f',
];

const allowed: readonly string[] = [
  'rm -rf "${x:?}"/*',
  'rm -rf "${x?}"/*',
  'rm -rf "${x:-build}"/*',
  'rm -rf $x',
  'rm -rf "$x"',
  'rm -rf "$x/build"',
  'cd "$dir" && rm -rf *.o',
  'x=$(mktemp -d); rm -rf "$x"/*',
  'x=build; rm -rf $x/',
  'read x; rm -rf /$x',
  'for d in a b; do rm -rf ~/$d; done',
  'export x=out; rm -rf $x/',
  '. ./env.sh; rm -rf $x/*',
  'eval "$(make vars)"; rm -rf $x/*',
  "eval 'x=out'; rm -rf $x/*",
  'f() { rm -rf "$1"/*; }; f build',
  'bash -c \'rm -rf "$1"/*\' _ build',
  'bash -c \'rm -rf "${1:?}"/*\'',
  'bash -c \'set -- build; rm -rf "$1"/*\'',
  'bash -c \'f() { rm -rf "$1"/*; }; f build\'',
  'ls | xargs bash -c \'rm -rf "$1"/*\'',
  'ls | xargs -I{} bash -c \'rm -rf "$1"/*\' _ {}',
  'f() { rm -rf "${1:?}"/*; }; f',
  'f() { rm -rf "${1:-build}"/*; }; f',
  'f() { local d=${1:-build}; rm -rf "$d"/*; }; f',
  'f() { rm -rf build/*; }; f',
  "eval 'x=out; '$y; rm -rf $z/*",
  "eval 'rm -rf $x/build'",
  'find . -name \'*.o\' | while read f; do rm -rf "$f"; done',
  'rm -rf "${BUILD:?}"/*',
  'BUILD=out; rm -rf $BUILD/',
  'rm -rf "$BUILD"',
  'rm -rf $BUILD/tmp',
  'cd "$REPO" && rm -rf *.o',
  '. ./env.sh; rm -rf $BUILD/*',
  'x=out/; rm -rf "${x%/}"',
  'rm -rf "$PWD"/build/*',
  'clean() { rm -rf "$1"/*; }; clean out',
  'sh -c \'rm -rf "$1"/*\' _ out',
  'find . -type d -name out | xargs -n1 sh -c \'rm -rf "$1"/*\' _',
  'set -- out; rm -rf "$1"/*',
  'rm -rf /home/$USER/project/build',
  'rm -rf "$(cd ~ && pwd)/project/build"',
  'rm -rf $(dirname $PWD)/build',
  'echo $x/*',
  'unset x; x=build; rm -rf $x/',
];

for (const line of denied)
  test(`denied: ${line}`, () => {
    const { decision, reasons } = decideIn({ preset: 'all', allow: ['*'] }, 'Bash', line);
    assert.is(decision, 'deny');
    assert.ok(reasons.some(({ code }) => code.startsWith('builtin/')));
  });

for (const line of asked)
  test(`asked: ${line}`, () => {
    const { decision, reasons } = decideIn({ preset: 'all', allow: ['*'] }, 'Bash', line);
    assert.is(decision, 'ask');
    assert.ok(reasons.some(({ code, message }) => code === 'builtin/wipe' && message.includes('${x:?}')));
  });

for (const line of allowed)
  test(`allowed: ${line}`, () => {
    assert.is(decideIn({ preset: 'all', allow: ['*'] }, 'Bash', line).decision, 'allow');
  });

test('the denial says which form stops where the variable is empty', () => {
  const { reasons } = decideIn({ preset: 'all', allow: ['*'] }, 'Bash', 'rm -rf "$x"/*');
  assert.ok(reasons.some(({ message }) => message.includes('the line does not set it') && message.includes('${x:?}')));
});

test.run();
