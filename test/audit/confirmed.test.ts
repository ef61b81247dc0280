// Somebody with an empty project does what the audit recommends, step by step, until it is confirmed.
import { appendFileSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readMachine } from '../../src/audit/isolation/machine.js';
import { seenIsolation } from '../../src/audit/isolation/signs.js';
import type { AuditReport } from '../../src/audit/model/report.js';
import { CLEAN_REPOSITORY, insideAgent, policy, scratch } from '../cli/spawned.js';
import { clientFolder, REVIEWER } from './audited.js';
import { trustInCodex } from './doctor/doctor-world.js';

const test = suite('a confirmed audit');
const check = insideAgent ? test.skip : test;
const MOST_ROUNDS = 6;

/** A machine that shows nothing is confirmed with the sandbox of the coding agent only. */
const seen = seenIsolation('container', readMachine('', process.platform, process.env)).state === 'seen';

for (const [runner, client] of [
  ['claude-code', 'claude'],
  ['codex', 'codex'],
  ['gemini-cli', 'gemini'],
] as const)
  for (const inside of ['container', 'sandbox'] as const) {
    const tried = inside === 'sandbox' || seen ? check : test.skip;
    tried(`${runner} in a ${inside}: what the report recommends leads to a confirmed one`, () => {
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
          follow(action, { cwd, home, run, sandboxed: inside === 'sandbox' ? runner : null });
        }
      }
      assert.unreachable(`not confirmed after ${MOST_ROUNDS} rounds:\n${done.join('\n')}`);
    });
  }

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
  /** Whose sandbox is to be switched on, where the report offers that; null: what it offers before. */
  readonly sandboxed: keyof typeof SANDBOXES | null;
}

/** What switches the sandbox of each on, in the file of the person. */
const SANDBOXES = {
  'claude-code': ['.claude/settings.json', { sandbox: { enabled: true, failIfUnavailable: true } }],
  codex: ['.codex/config.toml', 'sandbox_mode = "workspace-write"\n'],
  'gemini-cli': ['.gemini/settings.json', { tools: { sandbox: true } }],
} as const;

function switchOn(runner: keyof typeof SANDBOXES, home: string): void {
  const [path, settings] = SANDBOXES[runner];
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  // A table of TOML that comes before would take the key in.
  if (typeof settings === 'string') writeFileSync(file, `${settings}${before}`);
  else writeFileSync(file, JSON.stringify({ ...(before === '' ? {} : JSON.parse(before)), ...settings }));
}

/** Types the commands of a recommendation, writes its settings into the policy, and trusts the hook in Codex. */
function follow(action: string, { cwd, home, run, sandboxed }: Person): void {
  if (sandboxed !== null && action.includes(`switch on the sandbox of ${sandboxed}`)) {
    switchOn(sandboxed, home);
    return;
  }
  for (const [, quoted = ''] of action.matchAll(/`([^`]*)`/g)) {
    const [program, ...args] = quoted.split(' ');
    if (program === 'policy' && args[0] === 'doctor') run(...args);
    else if (program === 'policy') run(...args, '--yes');
    else appendFileSync(join(cwd, 'policy.yaml'), `${quoted}\n`);
  }
  if (!/says about trust|prevents it from running/.test(action)) return;
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
