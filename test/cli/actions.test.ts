// What the actions for GitHub run, run here as GitHub runs it: their script with bash, the inputs in its environment.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { load } from 'js-yaml';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CANDIDATE } from '../../src/lint/places/file-kind.js';
import { CLEAN_REPOSITORY, insideAgent, scratch } from './spawned.js';

const test = suite('the actions for GitHub');
// To install a hook is a person's business.
const check = insideAgent ? test.skip : test;

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly runs: { readonly steps: readonly { readonly run?: string; readonly env?: Readonly<Record<string, string>> }[] };
}

interface Ran {
  readonly status: number | null;
  readonly summary: string;
  readonly output: string;
  readonly project: string;
  readonly stderr: string;
}

/** Runs the last step of an action in a project. */
function runAction(file: string, files: Readonly<Record<string, string>>, inputs: Readonly<Record<string, string>>): Ran {
  const action = load(readFileSync(file, 'utf8')) as Action;
  const step = action.runs.steps.at(-1);
  const given = Object.entries(step?.env ?? {}).map(([name, expression]) => {
    const [, input = ''] = /^\$\{\{ inputs\.([a-z-]+) \}\}$/.exec(expression) ?? [];
    const declared = action.inputs[input];
    assert.ok(declared, `${file}: ${name} is ${expression}`);
    return [name, inputs[input] ?? declared.default];
  });
  const project = realpathSync(scratch({ ...CLEAN_REPOSITORY, ...files }));
  const home = realpathSync(scratch({ summary: '', output: '' }));
  symlinkSync(resolve('bin/policy.js'), join(home, 'policy'));
  const summary = join(home, 'summary');
  const output = join(home, 'output');
  const { status, stderr } = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step?.run ?? ''], {
    cwd: project,
    encoding: 'utf8',
    env: {
      PATH: `${home}:${dirname(process.execPath)}:/usr/bin:/bin`,
      ...{ HOME: home, CI: 'true', GITHUB_STEP_SUMMARY: summary, GITHUB_OUTPUT: output },
      ...Object.fromEntries(given),
    },
  });
  return { status, summary: readFileSync(summary, 'utf8'), output: readFileSync(output, 'utf8'), project, stderr };
}

test('lint annotates, writes the summary and the SARIF, and fails for errors', () => {
  const settings = '{ "permissions": { "allow": ["Bash(*)"] } }\n';
  const { status, summary, output, project, stderr } = runAction(
    'action.yml',
    { '.claude/settings.json': settings },
    { 'sarif-file': 'lint.sarif', paths: '.claude\n' },
  );
  assert.is(status, 1, stderr);
  assert.match(summary, /permissions\/all-bash/);
  assert.match(output, /^findings=[1-9]\d*\nerrors=1\n$/);
  assert.is(JSON.parse(readFileSync(join(project, 'lint.sarif'), 'utf8')).version, '2.1.0');
});

check('the audit installs the hook, and its summary has the verdict and no evidence', () => {
  const { status, summary, project, stderr } = runAction(
    'audit/action.yml',
    { 'policy.yaml': 'version: 1\nsecurity: { disable_bypass_permissions: true }\n' },
    {
      ...{ install: 'claude-code', runner: 'claude-code', checklist: 'risk-mitigation' },
      ...{ 'sarif-file': 'audit.sarif', 'html-file': 'audit.html' },
    },
  );
  assert.is(status, 0, stderr);
  assert.match(summary, /^# Risk & Mitigation Audit\n\n\*\*✅ All 5 controls are in force\./);
  assert.not.match(summary, /\*\*Evidence\*\*/);
  assert.ok(existsSync(join(project, 'audit.html')));
  assert.is(JSON.parse(readFileSync(join(project, 'audit.sarif'), 'utf8')).version, '2.1.0');
});

test('an audit without a hook and without probes fails, and says so in the summary', () => {
  const { status, summary } = runAction('audit/action.yml', {}, { probes: 'false', runner: 'codex' });
  assert.is(status, 1);
  assert.match(summary, /NOT CONFIRMED: 17 items unverified of 17/);
});

test('a project without anything to lint fails, unless that is allowed', () => {
  const readme = { 'README.md': '# A project\n' };
  assert.is(runAction('action.yml', readme, {}).status, 3);
  const { status, output, stderr } = runAction('action.yml', readme, { 'allow-empty': 'true', paths: 'README.md\n' });
  assert.is(status, 0, stderr);
  assert.is(output, 'findings=0\nerrors=0\n');
});

test('the actions pin each action that they use to a commit', () => {
  for (const file of ['action.yml', 'audit/action.yml']) {
    const used = [...readFileSync(file, 'utf8').matchAll(/uses: (\S+)/g)].map(([, name]) => name ?? '');
    assert.is.not(used.length, 0);
    for (const name of used) assert.match(name, /^actions\/[a-z-]+@[0-9a-f]{40}$/);
  }
});

test('pre-commit passes on every file that lint may read', () => {
  const hooks = load(readFileSync('.pre-commit-hooks.yaml', 'utf8')) as readonly { readonly files?: string }[];
  const patterns = hooks.flatMap(({ files }) => files ?? []);
  assert.equal(patterns, Array(2).fill(`(?i)${CANDIDATE.source}`));
});

test.run();
