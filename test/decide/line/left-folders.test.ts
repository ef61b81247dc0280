/**
 * Rules of a trusted project end at its edge: every way to leave it, or to go nobody knows where, in every construct. A folder that is
 * not known lies outside.
 */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { decideIn, type World } from '../world.js';

const COMMANDS = ['bash deploy.sh', 'terraform apply', 'make test', 'npm test'];
const PRESETS = ['safe', 'develop'] as const;
const worldWith = (preset: (typeof PRESETS)[number], more: readonly string[] = []): World => ({
  preset,
  allow: [...COMMANDS, ...more].map((one) => `Bash(${one})`),
  missing: ['nowhere'],
});

/** How a folder outside the project, or an unknown one, is written. */
const FOLDERS = [
  '..',
  '../other',
  '/elsewhere',
  '~',
  '~/work',
  '~other',
  '~+/..',
  '~-',
  '$HOME/work',
  '"$HOME/work"',
  '"${HOME}"',
  '$X',
  '"$X"',
  '"${X:-..}"',
  '"$1"',
  '"$OLDPWD"',
  '-',
  '$(pwd)/..',
  '"$PWD/.."',
  '"$PWD"/../other',
  '"${PWD%/*}"',
  '`pwd`/..',
  '"$(git rev-parse --show-toplevel)/.."',
  '"$(git rev-parse --show-toplevel)"/../other',
  '"$(dirname "$PWD")"',
  '"$(cat dir.txt)"',
  '"$(mktemp -d)"',
  'sub/../..',
  'sub/../../other',
  "$'..'",
  '{..,src}',
  '*/..',
  '..//other',
  './../.',
];

/** How it is entered. */
const WAYS = [
  'cd FOLDER',
  'cd -P FOLDER',
  'cd -- FOLDER',
  'command cd FOLDER',
  'builtin cd FOLDER',
  'pushd FOLDER',
  'chdir FOLDER',
  'CDPATH=/elsewhere cd FOLDER',
  'cd FOLDER >/dev/null',
  'cd /repo && cd FOLDER',
  'eval "cd FOLDER"',
];

/** What stands around it and the command. */
const CONSTRUCTS = [
  'ENTER && RUN',
  'ENTER; RUN',
  'ENTER\nRUN',
  'ENTER || true; RUN',
  '! ENTER; RUN',
  '! ENTER || RUN',
  '(ENTER; RUN)',
  '(ENTER && RUN)',
  '{ ENTER; RUN; }',
  '{ ENTER; }; RUN',
  'if ENTER; then RUN; fi',
  'if ! ENTER; then exit; fi; RUN',
  'if [ -d sub ]; then ENTER; fi; RUN',
  'while ENTER; do RUN; done',
  'until ! ENTER; do RUN; done',
  'for i in 1 2; do ENTER; RUN; done',
  'for i in 1 2; do RUN; ENTER; done',
  'while true; do RUN; ENTER; done',
  'case a in a) ENTER; RUN;; esac',
  'case a in a) ENTER;; esac; RUN',
  '[ -d sub ] && ENTER; RUN',
  'true && ENTER && RUN',
  'echo a | ENTER; RUN',
  'f() { ENTER; }; f; RUN',
  'f() { RUN; }; ENTER; f',
  "trap 'RUN' EXIT; ENTER",
  "bash -c 'ENTER; RUN'",
  "ENTER; bash -c 'RUN'",
  'ENTER; timeout 9 RUN',
  'ENTER; X=$(RUN)',
  'echo "$(ENTER; RUN)"',
  'ENTER; git status; RUN',
  'ENTER && echo a > b.txt && RUN',
  'time ENTER; RUN',
  'ENTER && RUN & wait',
  'coproc { ENTER; RUN; }',
  'cat <(ENTER; RUN)',
];

/** Without a shell that goes there itself, and with folders that something else names. */
const OTHERS = [
  'env -C .. RUN',
  'env -C "$X" RUN',
  'env --chdir=/elsewhere RUN',
  'env --chdir "$HOME" RUN',
  'CDPATH=/elsewhere; cd src && RUN',
  'export CDPATH=/elsewhere; cd src && RUN',
  'CDPATH=.. cd src && RUN',
  'HOME=/elsewhere; cd && RUN',
  'cd && RUN',
  'cd; RUN',
  'popd && RUN',
  'pushd && RUN',
  'pushd +1 && RUN',
  'cd /elsewhere; cd -; cd -; RUN',
  'cd /elsewhere && cd "$OLDPWD" && cd - && RUN',
  'X=..; cd $X && RUN',
  'X=/elsewhere; cd "$X"; RUN',
  'for d in ../*; do (cd "$d" && RUN); done',
  'for d in .. src; do cd $d; RUN; done',
  'ls -d ../*/ | while read -r d; do (cd "$d" && RUN); done',
  'find .. -name x -execdir RUN \\;',
  'find . -type l -execdir RUN \\;',
  "xargs -I{} sh -c 'cd {} && RUN' < dirs.txt",
  'unset HOME; cd; RUN',
  'set -- ..; cd "$1"; RUN',
  'read -r d < dir.txt; cd "$d"; RUN',
  'cd "$(git -C .. rev-parse --show-toplevel)" && RUN',
  'cd .. && cd "$(git rev-parse --show-toplevel)" && RUN',
  'cd nowhere/.. && cd .. ; RUN',
  'cd src/nowhere; cd ../..; RUN',
  'cd nowhere || cd ..; RUN',
  'alias go="cd .."; go; RUN',
];

function assertNone(lines: readonly string[], world: World): void {
  const allowed = lines.filter((line) => decideIn(world, 'Bash', line).decision === 'allow');
  assert.is(allowed.join('\n'), '');
}

/** Each construct with every third folder, and the ways in turn. */
for (const [at, construct] of CONSTRUCTS.entries())
  test(`no folder and way of entering it lets a rule out: ${construct}`, () => {
    const lines = FOLDERS.flatMap((folder, index) => {
      const way = WAYS[(at + index) % WAYS.length] ?? '';
      const run = COMMANDS[(at + index) % COMMANDS.length] ?? '';
      const line = construct.replace('ENTER', () => way.replace('FOLDER', () => folder)).replace('RUN', run);
      return (at + index) % 3 === 0 ? [line] : [];
    });
    assertNone(lines, worldWith(at % 2 === 0 ? 'safe' : 'develop', ['pushd *', 'trap *']));
  });

for (const way of WAYS)
  test(`no folder lets a rule out: ${way}`, () => {
    const lines = FOLDERS.map((folder) => `${way.replace('FOLDER', () => folder)}; npm test`);
    assertNone(lines, worldWith('safe', ['pushd *']));
  });

for (const preset of PRESETS)
  test(`${preset}: nor does anything else`, () => {
    assertNone(
      OTHERS.flatMap((line) => COMMANDS.map((run) => line.replace('RUN', run))),
      worldWith(preset, ['pushd *', 'popd', 'export *', 'set *', 'read *']),
    );
  });

test('nor does git by itself', () => {
  const places = ['..', '/elsewhere', '$X', '"$HOME/work"', '$(pwd)/..', '"$(git rev-parse --show-toplevel)/.."'];
  const lines = places.flatMap((place) => [
    `git -C ${place} commit -m x`,
    `git --git-dir=${place}/.git commit -m x`,
    `cd ${place}; git commit -m x`,
    `(cd ${place} && git commit -m x)`,
    `if cd ${place}; then git commit -m x; fi`,
  ]);
  assertNone(lines, worldWith('safe', ['git commit *']));
});

const STAYS = [
  'RUN',
  'cd sub && RUN',
  'cd sub; RUN',
  'cd "$(git rev-parse --show-toplevel)" && RUN',
  'cd "$(git rev-parse --show-toplevel)"; RUN',
  'cd "$(git rev-parse --show-toplevel)/sub" && RUN',
  'cd sub && RUN; cd ..',
  'cd sub && cd .. && RUN',
  'cd sub && RUN && cd - && RUN',
  '(cd sub && RUN) && RUN',
  '(cd ..; pwd); RUN',
  'cd "$PWD" && RUN',
  'cd "$(pwd)" && RUN',
  'cd "$PWD/sub" && RUN',
  'cd /repo && RUN',
  'if cd sub; then RUN; fi',
  'for i in 1 2; do RUN; done',
  '[ -d sub ] && cd sub; RUN',
  'for i in 1 2; do (cd sub && RUN); done',
  'env -C sub RUN',
  'git status && RUN',
  'RUN && cd ..',
];
for (const line of STAYS)
  test(`allow: ${line}`, () => {
    for (const run of COMMANDS) {
      const { decision, message } = decideIn(worldWith('safe'), 'Bash', line.replaceAll('RUN', run));
      assert.is(decision, 'allow', `${run}: ${message}`);
    }
  });

test.run();
