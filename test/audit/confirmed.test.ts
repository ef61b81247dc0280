// Somebody with an empty project does what the audit recommends, step by step, until it is confirmed.
import { appendFileSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { AuditReport } from '../../src/audit/report.js';
import { CLEAN_REPOSITORY, insideAgent, policy, scratch } from '../cli/spawned.js';
import { clientFolder, REVIEWER } from './audited.js';
import { trustInCodex } from './doctor/doctor-world.js';

const test = suite('a confirmed audit');
const check = insideAgent ? test.skip : test;
const MOST_ROUNDS = 6;

for (const [runner, client] of [
  ['claude-code', 'claude'],
  ['codex', 'codex'],
  ['gemini-cli', 'gemini'],
] as const)
  check(`${runner}: what the report recommends leads to a confirmed one`, () => {
    const home = realpathSync(scratch({}));
    const cwd = realpathSync(scratch({ ...CLEAN_REPOSITORY, '.claude/agents/code-reviewer.md': REVIEWER }));
    const env = { HOME: home, PATH: `${clientFolder(client)}:${process.env.PATH ?? ''}` };
    const run = (...args: readonly string[]) => policy(args, { cwd, env });
    const done: string[] = [];
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const { stdout, stderr } = run('audit', '--runner', runner, '--format', 'json');
      assert.is.not(stdout, '', `${stderr}\n${done.join('\n')}`);
      const report = JSON.parse(stdout) as AuditReport;
      if (report.confirmed) return assert.ok(round > 0, done.join('\n'));
      const actions = new Set(report.recommendations.map(({ action }) => action));
      assert.ok(actions.size > 0, report.sentence);
      for (const action of actions) {
        done.push(action);
        follow(action, { cwd, home, run });
      }
    }
    assert.unreachable(`not confirmed after ${MOST_ROUNDS} rounds:\n${done.join('\n')}`);
  });

const idle: readonly (readonly [why: string, runner: string, change: (home: string) => void])[] = [
  ['a hook that Codex was never told to trust', 'codex', () => {}],
  [
    'hooks that are switched off in the settings of Gemini CLI',
    'gemini-cli',
    (home) => {
      const file = join(home, '.gemini/settings.json');
      writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), hooksConfig: { enabled: false } }));
    },
  ],
  [
    'hooks that a variable of the home switches off in Qwen Code',
    'qwen-code',
    (home) => writeFileSync(join(home, '.env'), 'QWEN_CODE_SAFE_MODE=1\n'),
  ],
];
for (const [why, runner, change] of idle)
  check(`${why}: not in force, whatever it would answer`, () => {
    const home = realpathSync(scratch({}));
    const cwd = realpathSync(scratch({ ...CLEAN_REPOSITORY }));
    const run = (...args: readonly string[]) => policy(args, { cwd, env: { HOME: home } });
    run('init', '--yes');
    appendFileSync(join(cwd, 'policy.yaml'), 'security: { disable_bypass_permissions: true }\n');
    assert.is(run('install', runner, '--yes').status, 0);
    change(home);
    const args = ['audit', '--checklist', 'risk-mitigation', '--runner', runner, '--format', 'json'];
    const report = JSON.parse(run(...args).stdout) as AuditReport;
    assert.is(report.confirmed, false);
    assert.equal(
      report.meta.runners.map(({ hooks }) => hooks),
      [0],
    );
    const hook = report.controls.find(({ id }) => id === 'RM-4')?.claims.find(({ id }) => id === 'hook');
    assert.is(hook?.verdict, 'unmet');
  });

interface Person {
  readonly cwd: string;
  readonly home: string;
  readonly run: (...args: readonly string[]) => unknown;
}

/** Types the commands of a recommendation, writes its settings into the policy, and trusts the hook in Codex. */
function follow(action: string, { cwd, home, run }: Person): void {
  for (const [, quoted = ''] of action.matchAll(/`([^`]*)`/g)) {
    const [program, ...args] = quoted.split(' ');
    if (program === 'policy' && args[0] === 'doctor') run(...args);
    else if (program === 'policy') run(...args, '--yes');
    else appendFileSync(join(cwd, 'policy.yaml'), `${quoted}\n`);
  }
  if (!/says about trust/.test(action)) return;
  trustInCodex({
    home,
    read: (file) => readFileSync(join(home, file), 'utf8'),
    write: (file, text) => {
      mkdirSync(dirname(join(home, file)), { recursive: true });
      writeFileSync(join(home, file), text);
    },
  });
}

test.run();
