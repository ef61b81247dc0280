// `policy doctor`: a clean installation has nothing to say, and each planted mistake is named, by the check that is about it.

import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inTrialRun } from '../../../src/audit/launch/trial-run.js';
import { insideAgent } from '../../cli/spawned.js';
import { LOCAL, problemsOf, SETTINGS, type World, world } from './doctor-world.js';

const test = suite('doctor');
const check = insideAgent ? test.skip : test;

check('a clean installation: every hook works, the canary is blocked, nothing to note', async () => {
  const { install, examineStarted, home } = world();
  install('claude-code');
  const report = await examineStarted();
  assert.equal(problemsOf(report), []);
  assert.equal(
    report.results.filter(({ level }) => level === 'note'),
    [],
  );
  assert.equal(report.runners, ['claude-code']);
  const canary = report.results.find(({ check: id }) => id === 'canary');
  assert.match(
    canary?.message ?? '',
    /^`rm -rf \/`, sent through the installed line in .*settings\.json:\d+, was blocked after \d+ ms: policy denied Bash: /,
  );
  assert.match(report.results.find(({ check: id }) => id === 'client')?.message ?? '', /^claude-code 2\.1\.400 /);
  const logged = readdirSync(join(home, '.local/state/policy/log')).filter((name) => name.endsWith('.jsonl'));
  assert.is(logged.length, 1, 'the canary is in the log, as every call');
});

/** [what was planted, how, which check names it, in which words] */
const planted: readonly (readonly [what: string, plant: (at: World) => void, id: string, says: RegExp])[] = [
  ['no hook at all', ({ home }) => rmSync(join(home, SETTINGS)), 'installed', /No policy hook checks the calls of claude-code/],
  [
    'a comment in strict settings',
    ({ change }) => change(SETTINGS, '{', '{ // mine\n'),
    'settings',
    /ignores all of .*settings\.json: line 1: this is not valid JSON/,
  ],
  ['broken JSON', ({ change }) => change(SETTINGS, /\}\s*$/, ''), 'settings', /ignores all of/],
  [
    'a setting for which the client drops the file',
    ({ change }) => change(SETTINGS, '{', '{ "model": 5,'),
    'settings',
    /ignores all of .*model is not a text/,
  ],
  [
    'onFailure of a wrong word',
    ({ change }) => change(SETTINGS, '"onFailure": "block"', '"onFailure": "deny"'),
    'settings',
    /onFailure is neither block nor continue/,
  ],
  [
    'settings that everybody can write',
    ({ home }) => chmodSync(join(home, SETTINGS), 0o666),
    'settings',
    /Everybody can write .*settings\.json/,
  ],
  [
    'a matcher for one tool',
    ({ change }) => change(SETTINGS, '"matcher": "*"', '"matcher": "Bash"'),
    'matcher',
    /its matcher "Bash" leaves tools out/,
  ],
  [
    'an `if`',
    ({ change }) => change(SETTINGS, '"type": "command"', '"if": "Bash(rm *)", "type": "command"'),
    'matcher',
    /its `if` does not match every call/,
  ],
  [
    'async',
    ({ change }) => change(SETTINGS, '"type": "command"', '"async": true, "type": "command"'),
    'matcher',
    /`async` makes it run alongside the call/,
  ],
  [
    'a timeout shorter than the hook may take',
    ({ change }) => change(SETTINGS, '"timeout": 30', '"timeout": 1'),
    'matcher',
    /timeout of 1 is too short/,
  ],
  [
    'a hook without onFailure',
    ({ change }) => change(SETTINGS, /,\s*"onFailure": "block"/, ''),
    'matcher',
    /`onFailure` is not "block"/,
  ],
  [
    'disableAllHooks in the local settings',
    ({ write }) => write(LOCAL, '{ "disableAllHooks": true }\n'),
    'switches',
    /runs no hook: disableAllHooks is set in \.claude\/settings\.local\.json/,
  ],
  [
    'allowManagedHooksOnly',
    ({ machine }) => {
      mkdirSync(join(machine, 'etc/claude-code'), { recursive: true });
      writeFileSync(join(machine, 'etc/claude-code/managed-settings.json'), '{ "allowManagedHooksOnly": true }\n');
    },
    'switches',
    /allowManagedHooksOnly is set in/,
  ],
  [
    'a line that does not fail closed',
    ({ change }) => change(SETTINGS, /; r=\$\?; case \$r.*? esac.*?; exit 2/, ''),
    'line',
    /does not fail closed/,
  ],
  [
    'a line for another project',
    ({ change }) => change(SETTINGS, ' --config-dir', ' --project /elsewhere --config-dir'),
    'line',
    /is for the project \/elsewhere/,
  ],
  ['a line without a state directory', ({ change }) => change(SETTINGS, / --state-dir \S+/, ''), 'line', /has no --state-dir/],
  [
    'a bundle that was changed',
    ({ copy }) => writeFileSync(join(copy(), 'dist/hook-main.cjs'), 'process.exitCode = 0;'),
    'program',
    /was changed: dist\/hook-main\.cjs is not what was installed/,
  ],
  [
    'a list of digests that was changed with it',
    ({ copy }) => {
      const [file, list] = [join(copy(), 'dist/rules.pack'), join(copy(), 'installed.json')];
      const [before, after] = ['x'.repeat(9), readFileSync(file)].map((one) => createHash('sha256').update(one).digest('hex'));
      writeFileSync(file, 'x'.repeat(9));
      writeFileSync(list, readFileSync(list, 'utf8').replace(after ?? '', before ?? ''));
    },
    'program',
    /its list of digests is not the one in its name/,
  ],
  [
    'a code cache that was put there',
    ({ copy }) => writeFileSync(join(copy(), 'dist/hook-main.node22.cache'), 'code'),
    'program',
    /hook-main\.node22\.cache is not what was installed/,
  ],
  [
    'a program that others can write',
    ({ copy }) => chmodSync(join(copy(), 'dist'), 0o777),
    'program',
    /is not safe: dist can be written by others/,
  ],
  [
    'a program that is gone',
    ({ copy }) => rmSync(copy(), { recursive: true }),
    'program',
    /no longer exists: every call is denied/,
  ],
  [
    'a node that is gone',
    ({ change }) => change(SETTINGS, ` ${realpathSync(process.execPath)} `, ' /opt/gone/node '),
    'program',
    /the node of .* no longer exists/,
  ],
  [
    'a program inside a repository',
    ({ change, project, home }) => {
      mkdirSync(join(project, 'dist'));
      writeFileSync(join(project, 'dist/hook.cjs'), '');
      change(SETTINGS, /\/\S*\/versions\/\S+\/dist/g, join(project, 'dist'));
      assert.ok(existsSync(home));
    },
    'program',
    /is in the repository .*project, where agents write/,
  ],
  [
    'a broken policy',
    ({ write }) => write('project/policy.yaml', 'version: 1\ndeny: [Bash(]\n'),
    'policy',
    /The policy cannot be used, so every call is denied: policy\.yaml:2: /,
  ],
  [
    'a log in a folder that others can write',
    ({ home }) => chmodSync(join(home, '.local/state/policy'), 0o777),
    'log',
    /can be written by others .*every call is denied/,
  ],
  ['a log folder that is a file', ({ write }) => write('.local/state/policy/log', 'x'), 'log', /is not a folder/],
];

for (const [what, plant, id, says] of planted)
  check(`planted: ${what}`, async () => {
    const here = world();
    here.install('claude-code');
    plant(here);
    const report = await here.examine();
    const found = report.results.find(
      ({ check: one, level, message }) => one === id && level === 'problem' && says.test(message),
    );
    assert.ok(found, JSON.stringify(report.results, null, 1));
    assert.ok(found.fix !== null && found.fix.length > 5 && !found.fix.includes('\n'), 'a fix in one line');
    assert.ok(report.problems > 0);
  });

check('observe mode is a note, and so is what it lets pass', async () => {
  const here = world();
  here.install('claude-code');
  here.write('.config/policy/policy.yaml', 'version: 1\nmode: observe\n');
  const { results, problems } = await here.examine();
  assert.is(problems, 0, JSON.stringify(results, null, 1));
  assert.equal(
    results.filter(({ level }) => level === 'note').map(({ check: id, fix }) => [id, fix]),
    [
      ['canary', 'policy observe off'],
      ['policy', 'policy observe off'],
    ],
  );
});

check('a trial of a run is blocked in observe mode, too; a hook that lets it pass is a problem there', async () => {
  const here = world();
  here.install('claude-code');
  here.write('.config/policy/policy.yaml', 'version: 1\nmode: observe\n');
  const stateDirectory = join(here.home, '.local/state/policy');
  const run = { runner: 'claude-code', preset: 'safe', project: here.project, stateDirectory } as const;
  const tried = await inTrialRun(run, () => here.examineStarted({ inRun: true }));
  assert.equal(problemsOf(tried), []);
  assert.match(tried.results.find(({ check: id }) => id === 'canary')?.message ?? '', /was blocked after/);
  assert.equal(readdirSync(join(stateDirectory, 'launched')), []);
  const log = join(stateDirectory, 'log');
  for (const name of readdirSync(log).filter((one) => one.endsWith('.jsonl')))
    assert.not.match(readFileSync(join(log, name), 'utf8'), /"run":/, 'the log names no run that never was');
  // As one would that knows nothing of runs.
  assert.match(
    problemsOf(await here.examineStarted({ inRun: true })).join('\n'),
    /^canary: The installed line let `rm -rf \/` pass/,
  );
});

check('a line that is not certainly ours is not started', async () => {
  const here = world();
  here.install('claude-code');
  const evil = join(here.home, 'evil', 'hook.cjs');
  here.write('evil/hook.cjs', `require('node:fs').writeFileSync(${JSON.stringify(join(here.home, 'STARTED'))}, '')`);
  here.change(SETTINGS, /\/\S*\/dist\/hook\.cjs/g, evil);
  const problems = problemsOf(await here.examine());
  assert.ok(
    problems.some((one) => /^canary: .*may not be ours.*not tested/.test(one)),
    problems.join('\n'),
  );
  assert.not.ok(existsSync(join(here.home, 'STARTED')));
});

check('what fails closed is told from what decides: a hook that denies everything is a problem, too', async () => {
  const here = world();
  here.install('claude-code');
  here.write('project/policy.yaml', 'version: 1\ndeny: [Bash(]\n');
  const problems = problemsOf(await here.examineStarted());
  assert.ok(
    problems.some((one) => /^canary: The installed line denies every call: the policy cannot be used/.test(one)),
    problems.join('\n'),
  );
});

check('a line of a former version, which does not look first whether its program is there, is no problem', async () => {
  const here = world();
  here.install('claude-code');
  here.change(SETTINGS, /\[ -f \S+ \] && /g, '');
  assert.equal(problemsOf(await here.examine()), []);
  here.install('claude-code');
  assert.match(here.read(SETTINGS), /; \[ -f \S+ \] && \/usr\/bin\//);
});

check('a line that looks for another file than the one that it starts is not as it is installed', async () => {
  const here = world();
  here.install('claude-code');
  here.change(SETTINGS, /\[ -f \S+ \]/g, '[ -f /elsewhere/hook.cjs ]');
  assert.match(problemsOf(await here.examine()).join('\n'), /^line: .* differs from what `policy install` writes/m);
});

check('what an installation left that was killed is named; files of others are not', async () => {
  const here = world();
  here.install('claude-code');
  const old = new Date(Date.now() - 3_600_000);
  const plant = (name: string) => {
    here.write(`.claude/${name}`, '{ "model"');
    utimesSync(join(here.home, '.claude', name), old, old);
  };
  plant('.settings.json.999999999.12345678901.tmp');
  for (const name of ['.settings.json.swp', 'settings.json.12345.tmp', `.settings.json.${process.pid}.12345678901.tmp`])
    plant(name);
  const { results, problems } = await here.examine();
  const said = results.filter(({ check: id }) => id === 'leftovers');
  assert.equal(
    said.map(({ fix }) => fix),
    [`rm ${here.home}/.claude/.settings.json.999999999.12345678901.tmp`],
  );
  assert.is(problems, 0);
});

check('a log that is ahead of the clock', async () => {
  const here = world();
  here.install('claude-code');
  await here.examine();
  const report = await here.examine({ now: Date.now() - 86_400_000 });
  assert.match(problemsOf(report).join('\n'), /^clock: The clock says .*but the newest decision was logged at/);
});

check('a clock from before this program', async () => {
  const here = world();
  here.install('claude-code');
  assert.match(problemsOf(await here.examine({ now: 0 })).join('\n'), /^clock: The clock says 1970/);
});

check('an old log tail is noted, with the line that seals it', async () => {
  const here = world();
  here.install('claude-code');
  await here.examine();
  const { results } = await here.examine({ now: Date.now() + 3 * 86_400_000 });
  const tail = results.find(({ check: id }) => id === 'log-tail');
  assert.is(tail?.level, 'note');
  assert.is(tail?.fix, 'policy log seal');
});

test.run();
