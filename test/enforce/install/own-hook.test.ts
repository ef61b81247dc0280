// Which command lines an audit starts by itself: ours and nothing else, whatever a repository writes into its settings.
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ownHook, readHookLine } from '../../../src/install/own-hook.js';
import { type HookCommand, hookCommandLine, whileAgentsWait } from '../../../src/runner/hook/command-line.js';
import { NODE_OPTIONS } from '../../../src/runner/hook/node-options.js';
import { scratch } from '../../cli/spawned.js';

const place = scratch({ 'policy.js': '', 'hook.cjs': '', node: '', 'evil.cjs': '', 'with space/hook.cjs': '' });
mkdirSync(join(place, 'bin'));
symlinkSync(join(place, 'policy.js'), join(place, 'bin', 'policy'));
symlinkSync(join(place, 'evil.cjs'), join(place, 'bin', 'evil'));
const own = { node: join(place, 'node'), command: join(place, 'policy.js'), hook: join(place, 'hook.cjs') };
const hook = `${own.node} ${own.hook} claude-code`;
const path = `${join(place, 'bin')}:/usr/bin:/bin`;

const installed: Omit<HookCommand, 'platform'> = {
  runner: 'claude-code',
  node: own.node,
  hook: own.hook,
  home: '/h',
  project: '/p q',
  configDirectory: '/c',
  stateDirectory: '/s',
  shell: 'bash',
};
const linux = hookCommandLine({ ...installed, platform: 'linux' }) ?? '';
const darwin = hookCommandLine({ ...installed, platform: 'darwin' }) ?? '';
const former = hookCommandLine({ ...installed, looksFirst: false, platform: 'linux' }) ?? '';
const plain = hookCommandLine({ ...installed, former: true, platform: 'linux' }) ?? '';
/** Byte for byte as the version before this one wrote it. */
const written =
  'echo() { :; }; unset -f echo; r=; trap \'trap - EXIT; [ "$r" ] || { echo "policy denied this call: the hook could not be started or ' +
  'was ended from outside; try again" >&2; exit 2; }\' EXIT HUP INT QUIT ALRM PIPE TERM USR1 USR2; ' +
  `[ -f ${own.hook} ] && /usr/bin/timeout -k 1 1.5 /usr/bin/env -i HOME=/h PATH=/usr/local/bin:/usr/bin:/bin OPENSSL_CONF=/dev/null ` +
  `${own.node} ${own.hook} claude-code --project '/p q' --config-dir /c --state-dir /s --environment parent --proof line --shell bash; ` +
  'r=$?; case $r in 90) exit 0;; 91) exit 2;; 124|137) echo "policy denied this call: the hook did not answer in time; try again, or ' +
  'install it with a longer --deadline" >&2; exit 2;; *) echo "policy denied this call: the hook did not answer (exit $r); run the same ' +
  'line in a terminal to see why, or install it again" >&2; exit 2;; esac';
const fast = hookCommandLine({ ...installed, nodeOptions: NODE_OPTIONS, platform: 'linux' }) ?? '';

const ours: readonly (readonly [command: string, stateDirectory: string | null])[] = [
  ['policy hook claude-code', null],
  [hook, null],
  [`${hook} --config-dir /c --state-dir /s --project /p`, '/s'],
  [`${hook} --state-dir '/s s'`, '/s s'],
  [`exec ${hook}`, null],
  [`/usr/bin/timeout 2 ${hook}`, null],
  [`/usr/bin/timeout -k 1 2 ${hook}`, null],
  [`/usr/bin/env -i PATH=/usr/bin HOME=/h ${hook} --state-dir /s`, '/s'],
  [`/usr/bin/env -i PATH=/usr/bin POLICY_ENVIRONMENT="$(export -p)" ${hook} --environment variable`, null],
  [`/usr/bin/env -i PATH=/usr/bin POLICY_ENVIRONMENT="$(export -p; /usr/bin/env)" ${hook} --environment variable`, null],
  [`${hook} || { echo "policy hook denied or failed" >&2; exit 2; }`, null],
  [`${hook} 2>/dev/null`, null],
  [linux, '/s'],
  [darwin, '/s'],
  [fast, '/s'],
  [whileAgentsWait(linux), '/s'],
  [whileAgentsWait(darwin), '/s'],
  [former, '/s'],
  [plain, '/s'],
  [written, '/s'],
  [`[ -f ${own.hook} ] && ${hook}`, null],
  [
    `[ -f '/h/$(id)/[x]/hook.cjs' ] && /usr/bin/env -i HOME='/h/$(id)/\`id\`/[x]' ${hook} --state-dir '/h/$(id)/a[$(id)]'`,
    '/h/$(id)/a[$(id)]',
  ],
  [`${own.node} --no-sparkplug ${own.hook} claude-code`, null],
  [`/usr/bin/env -i OPENSSL_CONF=/dev/null ${hook}`, null],
];
for (const [command, stateDirectory] of ours)
  test(`ours: ${command.replaceAll(place, '')}`, () => {
    assert.is(ownHook(command, own, path)?.stateDirectory?.value ?? null, stateDirectory);
    assert.is.not(ownHook(command, own, path), null);
  });

const strangers: readonly (readonly [command: string, why: string])[] = [
  ['exit 0', 'no hook at all'],
  ['sleep 60', 'no hook at all'],
  ['', 'empty'],
  ['echo hi', 'only harmless builtins'],
  [`${hook}; touch /tmp/x`, 'a second command'],
  [`${hook} && evil`, 'a second command'],
  [`${hook} | tee /tmp/x`, 'its answer goes elsewhere'],
  [`${hook} & exit 0`, 'in the background'],
  [`[ -f ${own.hook} ] && evil && ${hook}`, 'a second command'],
  [`[ -f "$(touch x)" ] && ${hook}`, 'runs a command for a word'],
  [`[ -f ${own.hook} -a -w /x ] && ${hook}`, 'another test'],
  [`[ -v 'a[$(id)]' ] && ${hook}`, 'a test that runs what a subscript says'],
  [`printf -v 'a[$(id)]' x; ${hook}`, 'a builtin that runs what a subscript says'],
  [`[ -f ${own.hook} ]`, 'no hook at all'],
  [`${hook} > out`, 'writes a file'],
  [`${hook} $(touch x)`, 'runs a command for a word'],
  [`${hook} "$X"`, 'a word that only the shell knows'],
  [`${hook} *`, 'a glob'],
  [`${hook} --state-dir ~/x`, 'a tilde'],
  [`NODE_OPTIONS=--require=/p/evil.cjs ${hook}`, 'node loads another file'],
  [`/usr/bin/env -i NODE_OPTIONS=--require=/p/evil.cjs ${hook}`, 'node loads another file'],
  [`/usr/bin/env -i OPENSSL_CONF=/p/evil.cnf ${hook}`, 'OpenSSL loads a library'],
  [`${own.node} --no-sparkplug --require=/p/evil.cjs ${own.hook} claude-code`, 'node loads another file'],
  [`${own.node} --no-sparkplug ${join(place, 'evil.cjs')} claude-code`, 'another file'],
  [`${own.node} ${own.hook} --no-sparkplug`, 'no runner'],
  [`policy --no-sparkplug hook claude-code`, 'an option that is none of ours'],
  [fast.replace('--no-rehash-snapshot', '--allow-natives-syntax'), 'another option of node'],
  [`/usr/bin/env -i LD_PRELOAD=/p/evil.so ${hook}`, 'the loader loads another file'],
  [`/usr/bin/env ${hook}`, 'an environment that is not clean'],
  [`${own.node} --require /p/evil.cjs ${own.hook} claude-code`, 'node loads another file'],
  [`${own.node} ${join(place, 'evil.cjs')} claude-code`, 'another file'],
  [`/usr/bin/node ${own.hook} claude-code`, 'another node'],
  [`node ${own.hook} claude-code`, 'a node that is not found'],
  [`./node ${own.hook} claude-code`, 'a relative program'],
  [`${own.hook} claude-code`, 'the bundle is no program'],
  ['evil hook claude-code', 'another program in the same folder'],
  ['policy check Bash x', 'another command of ours'],
  ['policy hook', 'no runner'],
  ['policy hook gemini-cli', 'another runner'],
  [`if true; then ${hook}; fi`, 'inside a condition'],
  [`(${hook})`, 'in a subshell'],
  [`${hook}\ntouch /tmp/x`, 'a second line'],
  [`${hook} || { ${hook}; }`, 'twice'],
  [`timeout 2 ${hook}`, 'a timeout that the PATH decides on'],
  [`env -i ${hook}`, 'an env that the PATH decides on'],
  [`${hook} || eval x`, 'eval'],
  [`touch x; ${linux}`, 'a command before it'],
  [`${linux}; touch x`, 'a command behind it'],
  [linux.replace("trap '", "trap 'touch x; "), 'another trap'],
  [linux.replace('exit 2', 'touch x'), 'another end'],
  [linux.replace('\\"deny\\"', '$(touch x)'), 'a command in what it tells'],
  [linux.replace('\\"deny\\"', '`touch x`'), 'a command in what it tells'],
  [linux.replace('Try again', '$(touch x)'), 'a command in what it tells'],
  [linux.replace(/exit 2$/, 'touch x'), 'another end'],
  [linux.replace('3>&1 >/dev/null', '3>x'), 'writes a file'],
  [darwin.replace('waitpid $p, 0', 'system "touch x"'), 'another program for perl'],
  [`${own.node} ${join(place, 'evil.cjs')}${linux.slice(linux.indexOf(';'))}`, 'another file in our wrapper'],
  [`POLICY_ENVIRONMENT="$(export -p; evil)" ${hook}`, 'runs another command for a variable'],
  [`POLICY_ENVIRONMENT="$(evil)" ${hook}`, 'runs a command for a variable'],
  [`${hook} ${'x '.repeat(40_000)}`, 'too long to read'],
];
for (const [command, why] of strangers)
  test(`not ours (${why}): ${JSON.stringify(command.replaceAll(place, '').slice(0, 90))}`, () => {
    assert.is(ownHook(command, own, path), null);
  });

const closing: readonly (readonly [command: string, failsClosed: boolean, former: boolean, why: string])[] = [
  [linux, true, false, 'as it is installed'],
  [darwin, true, false, 'as it is installed on macOS'],
  [written, true, true, 'as the version before installed it'],
  [former, true, false, 'without a look whether the program is there'],
  [`/usr/bin/timeout 2 ${hook}`, false, false, 'nothing turns its failure into a denial'],
  [linux.replace('*) e=', '126) e='), false, false, 'not every failure is a denial'],
];
for (const [command, failsClosed, isFormer, why] of closing)
  test(`fails closed: ${failsClosed}, of a former version: ${isFormer} (${why})`, () => {
    const line = readHookLine(command, path);
    assert.equal({ failsClosed: line?.failsClosed, former: line?.former }, { failsClosed, former: isFormer });
  });

test('the line of the version before is made again, so that it is told from one that somebody changed', () => {
  assert.is(plain, written);
});

test('not ours: a policy that stands before ours on the PATH', () => {
  assert.is(ownHook('policy hook claude-code', own, `${scratch({ policy: '' })}:${path}`), null);
});

test('not ours: a PATH with a relative folder, which depends on where the hook starts', () => {
  assert.is(ownHook('policy hook claude-code', own, `node_modules/.bin:${path}`), null);
  assert.is(ownHook('policy hook claude-code', own, `:${path}`), null);
});

test('where the state lies is read from the line as it is written; a line for everybody says nothing of it', () => {
  const looksFor = (command: HookCommand) =>
    /^\[ -d (.*) \] \|\| exit 0; /.exec(whileAgentsWait(hookCommandLine(command) ?? ''))?.[1];
  const line = { ...installed, platform: 'linux' } as const;
  assert.is(looksFor(line), '/s/waiting');
  assert.is(looksFor({ ...line, stateDirectory: "/it's here" }), "'/it'\\''s here'/waiting");
  assert.is(looksFor({ ...line, stateDirectory: null, home: '/h h' }), "'/h h'/.local/state/policy/waiting");
  assert.is(looksFor({ ...line, stateDirectory: null, home: null }), undefined);
});

test.run();
