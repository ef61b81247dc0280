// `policy lint`: which files, whose findings, what is known already, and how it ends.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { definition, policyText } from '../lint/linted.js';
import { CLEAN_REPOSITORY, COMMAND, home, policy, scratch } from './spawned.js';

const test = suite('policy lint options');
const REVIEWER = '.claude/agents/reviewer.md';
const TESTER = '.claude/agents/tester.md';
const named = (name: string, ...lines: readonly string[]) => definition(...lines).replace('reviewer', name);
const codexRole =
  'name = "planner"\ndescription = "Plans."\ndeveloper_instructions = "Plan."\nsandbox_mode = "danger-full-acces"\n';

const mixed = scratch({
  ...CLEAN_REPOSITORY,
  [REVIEWER]: definition('tool: Read'),
  '.codex/agents/planner.toml': codexRole,
  '.mcp.json': '{ "mcpServers": {} }\n',
  'policy.yaml': policyText('allow: [Bash]'),
});
const warned = scratch({
  ...CLEAN_REPOSITORY,
  [REVIEWER]: definition('tools: Read, Grpe'),
  [TESTER]: named('tester', 'tools: Read, Raed'),
});
const inherits = scratch({ ...CLEAN_REPOSITORY, [REVIEWER]: definition() });

const rows: readonly (readonly [args: readonly string[], cwd: string, status: number, output: RegExp])[] = [
  [['--runner', 'claude-code'], mixed, 1, /reviewer\.md[\s\S]* in 1 of 2 files/],
  [['--runner', 'codex,claude-code'], mixed, 1, /in \d of 3 files/],
  [['--runner', 'cursor'], mixed, 0, /in 1 settings file/],
  [['--runner', 'cursor'], inherits, 3, /^Nothing was checked: no file here is one of cursor; without --runner, all are linted/],
  [
    ['--output', 'sarf=x.sarif'],
    mixed,
    3,
    /^--output sarf=x\.sarif: there is no format sarf, only .*sarif.*; write \.\/sarf=x\.sarif for/,
  ],
  [['--runner', 'claude'], mixed, 3, /--runner is "claude"; did you mean claude-code\?/],
  [['--fail-on', 'error'], warned, 0, /0 errors?|2 warnings/],
  [['--max-warnings', '1'], warned, 1, /2 warnings/],
  [['--max-warnings', '2'], warned, 0, /2 warnings/],
  [['--max-warnings', 'none'], warned, 3, /--max-warnings is "none"; it must be a whole number/],
  [['--max-warnings', '0', '--exit-zero'], warned, 0, /2 warnings/],
  [['--exit-zero'], mixed, 0, /error\[/],
  [['--exit-zero', 'nosuch'], mixed, 3, /does not exist/],
  [['src/a.ts', REVIEWER, '--fail-on', 'warning'], warned, 3, /src\/a\.ts is not a file that lint knows/],
  [['--allow-empty', 'src/a.ts', REVIEWER, '--fail-on', 'warning'], warned, 1, /Grpe/],
  [['--watch', '--stdin'], warned, 3, /^--watch and --stdin do not go together/],
  [['--persona', 'manager'], inherits, 3, /--persona is "manager"; it has to be one of author, reviewer, auditor/],
  [['--fix=all'], warned, 3, /--fix is "all"; it has to be one of unsafe/],
  [['--trusted-ignores', 'some'], warned, 3, /--trusted-ignores is "some"/],
  [['--update-baseline'], warned, 3, /--update-baseline needs --baseline FILE/],
  [['--baseline', 'nosuch.json'], warned, 3, /nosuch\.json does not exist; .*--update-baseline writes it/],
  [['--baseline', REVIEWER], warned, 3, /is not a baseline of policy lint/],
  [['--changed', '--since', 'x'], warned, 3, /--changed and --since ask for different files/],
  [['--stdin'], warned, 3, /--stdin and --stdin-filename FILE belong together/],
  [['--stdin', '--stdin-filename', REVIEWER, 'x'], warned, 3, /--stdin takes no PATHS; leave out x/],
];
for (const [args, cwd, status, output] of rows)
  test(`policy lint ${args.join(' ')} → ${status} ${output}`, () => {
    const answer = policy(['lint', ...args], { cwd });
    assert.is(answer.status, status, answer.stdout + answer.stderr);
    assert.match(answer.stdout + answer.stderr, output);
  });

test('personas: each also gets what those before it get, and what is hidden is counted', () => {
  const [author = 0, reviewer = 0, auditor = 0] = ['author', 'reviewer', 'auditor'].map((persona) => {
    const { stdout } = policy(['lint', '--format', 'json', '--persona', persona], { cwd: mixed });
    const { findings, summary } = JSON.parse(stdout);
    return findings.length * 1000 + summary.hidden;
  });
  const split = (sum: number) => [Math.floor(sum / 1000), sum % 1000] as const;
  const all = split(auditor);
  assert.is(all[1], 0);
  for (const [shown, hidden] of [author, reviewer].map(split)) assert.is(shown + hidden, all[0]);
  assert.ok(split(author)[0] < all[0]);
});

test('--no-config: no lint section holds', () => {
  const cwd = scratch({
    ...CLEAN_REPOSITORY,
    [REVIEWER]: definition('tool: Read'),
    'policy.yaml': policyText('lint: { rules: { tools/misspelled-key: off } }'),
  });
  assert.is(policy(['lint', '--trust-project'], { cwd }).status, 0);
  assert.is(policy(['lint', '--trust-project', '--no-config'], { cwd }).status, 1);
});

test('--trusted-ignores config-only: comments of the linted files accept nothing', () => {
  const text = definition('# policy-disable-next-line tools/misspelled-key', 'tool: Read');
  const cwd = scratch({ ...CLEAN_REPOSITORY, [REVIEWER]: text });
  assert.is(policy(['lint'], { cwd }).status, 0);
  assert.is(policy(['lint', '--trusted-ignores', 'config-only'], { cwd }).status, 1);
});

test('several formats at once, none of them with the time of another', () => {
  const cwd = scratch({ ...CLEAN_REPOSITORY, [REVIEWER]: definition('tool: Read') });
  const files = ['compact', 'jsonl', 'gitlab', 'junit', 'markdown', 'html'];
  const args = files.flatMap((format) => ['--output', `${format}=out.${format}`]);
  const { status, stdout } = policy(['lint', '--format', 'github', ...args], { cwd });
  assert.is(status, 1);
  assert.match(stdout, /^::error file=/);
  const starts = {
    compact: '.claude/',
    jsonl: '{',
    gitlab: '[',
    junit: '<?xml',
    markdown: '## policy lint',
    html: '<!doctype html>',
  };
  for (const [format, start] of Object.entries(starts))
    assert.ok(readFileSync(join(cwd, `out.${format}`), 'utf8').startsWith(start), format);
});

test('a baseline: known findings are counted, new ones reported, and it outlives moved lines', () => {
  const cwd = scratch({ ...CLEAN_REPOSITORY, [REVIEWER]: definition('tool: Read') });
  const write = policy(['lint', '--baseline', 'known.json', '--update-baseline'], { cwd });
  assert.equal([write.status, write.stdout], [0, '']);
  assert.match(
    write.stderr,
    /^Written: known\.json with \d findings?; policy lint --baseline known\.json reports only what is new\.\n$/,
  );
  const lint = () => policy(['lint', '--baseline', 'known.json'], { cwd });
  assert.is(lint().status, 0);
  assert.match(lint().stdout, /^No findings of \d+ rules in 1 agent \(\d in the baseline\)/);
  writeFileSync(join(cwd, REVIEWER), definition('model: sonnet', 'color: blue', 'tool: Read').replace('Read the diff', 'Look'));
  assert.is(lint().status, 0, lint().stdout);
  writeFileSync(join(cwd, TESTER), named('tester', 'tool: Read'));
  const more = lint();
  assert.is(more.status, 1);
  assert.match(more.stdout, /--> \.claude\/agents\/tester\.md:4:1/);
  assert.not.match(more.stdout, /reviewer\.md/);
  writeFileSync(join(cwd, REVIEWER), definition('tools: Read'));
  assert.match(lint().stderr, /^note: 1 of the \d findings? in known\.json are gone; --update-baseline removes them/);
  assert.is(
    policy(['lint', '--baseline', 'known.json', REVIEWER], { cwd }).stderr,
    '',
    'a part of the project tells nothing of the rest',
  );
});

test('a baseline holds so many findings alike, not all of them', () => {
  const cwd = scratch({ ...CLEAN_REPOSITORY, 'policy.yaml': policyText('allow:', '  - Bash') });
  policy(['lint', '--baseline', 'known.json', '--update-baseline'], { cwd });
  assert.is(policy(['lint', '--baseline', 'known.json'], { cwd }).status, 0);
  writeFileSync(join(cwd, 'policy.yaml'), policyText('allow:', '  - Bash', '  - Bash'));
  const { status, stdout } = policy(['lint', '--baseline', 'known.json'], { cwd });
  assert.is(status, 1);
  assert.match(stdout, /permissions\/all-bash/);
});

test('--stdin: the text is what lies there, among the other files of the project', () => {
  const cwd = scratch({ ...CLEAN_REPOSITORY, [REVIEWER]: definition('tools: Read'), [TESTER]: named('tester', 'tool: Read') });
  const typed = (text: string, ...more: readonly string[]) =>
    policy(['lint', '--stdin', '--stdin-filename', REVIEWER, ...more], { cwd, input: text });
  const wrong = typed(definition('tool: Read'));
  assert.is(wrong.status, 1);
  assert.match(wrong.stdout, /--> \.claude\/agents\/reviewer\.md:4:1[\s\S]*in 1 file /);
  assert.match(typed(named('tester', 'tools: Read')).stdout, /"tester" is also the name of \.claude\/agents\/tester\.md/);
  assert.is(typed(definition('tools: Read')).status, 0);
  assert.match(typed(definition('tool: Read'), '--diff', '--fix=unsafe').stdout, /^\+tools: Read$/m);
  assert.match(typed('x', '--fix').stderr, /--fix has no file to write with --stdin/);
  assert.match(typed('x'.repeat(1_048_577)).stderr, /larger than 1 MiB/);
  const unknown = policy(['lint', '--stdin', '--stdin-filename', 'notes.txt'], { cwd, input: 'x' });
  assert.is(unknown.status, 3);
  assert.match(unknown.stderr, /notes\.txt is not a file that lint knows/);
  const fresh = policy(['lint', '--stdin', '--stdin-filename', '.codex/agents/new.toml'], { cwd, input: 'name = ' });
  assert.match(fresh.stdout, /schema\/syntax-error/);
});

/** A repository that git made, with one commit of two agents. */
function committed(): { readonly cwd: string; readonly git: (...words: readonly string[]) => string } {
  const cwd = scratch({
    [REVIEWER]: definition('tool: Read'),
    [TESTER]: named('tester', 'tool: Read'),
    '.gitignore': 'ignored\n',
  });
  const git = (...words: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.org', ...words], { cwd, encoding: 'utf8' }).trim();
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-q', '-m', 'x');
  return { cwd, git };
}

test('--changed: what differs from the last commit, and what git does not know yet', () => {
  const { cwd } = committed();
  const none = policy(['lint', '--changed'], { cwd });
  assert.equal([none.status, none.stdout], [0, '']);
  assert.match(none.stderr, /^Nothing to check: no file that lint knows has changed\.\n$/);
  assert.is(JSON.parse(policy(['lint', '--changed', '--format', 'json'], { cwd }).stdout).findings.length, 0);
  writeFileSync(join(cwd, TESTER), named('tester', 'allowedTools: Read'));
  mkdirSync(join(cwd, 'ignored/.claude/agents'), { recursive: true });
  writeFileSync(join(cwd, 'ignored', REVIEWER), definition('tool: Read'));
  const changed = policy(['lint', '--changed', '--format', 'compact'], { cwd });
  assert.is(changed.status, 1);
  assert.match(changed.stdout, /^\.claude\/agents\/tester\.md:4:1: /);
  assert.not.match(changed.stdout, /reviewer/);
  writeFileSync(join(cwd, '.claude/agents/new.md'), named('new', 'tool: Read'));
  assert.match(policy(['lint', '--changed', '--format', 'compact'], { cwd }).stdout, /^\.claude\/agents\/new\.md:4:1: /m);
  assert.match(policy(['lint', '--changed', '--format', 'compact', TESTER], { cwd }).stdout, /in 1 file/);
});

test('--since: what changed on this branch, committed or not', () => {
  const { cwd, git } = committed();
  git('switch', '-q', '-c', 'topic');
  writeFileSync(join(cwd, TESTER), named('tester', 'allowedTools: Read'));
  git('commit', '-q', '-a', '-m', 'y');
  git('switch', '-q', 'main');
  writeFileSync(join(cwd, REVIEWER), definition('allowedTools: Read'));
  git('commit', '-q', '-a', '-m', 'z');
  git('switch', '-q', 'topic');
  const { stdout } = policy(['lint', '--since', 'main', '--format', 'compact'], { cwd });
  assert.match(stdout, /tester\.md/);
  assert.not.match(stdout, /reviewer\.md/, 'what others changed since is not of this branch');
  assert.match(policy(['lint', '--since', 'nosuch'], { cwd }).stderr, /--since nosuch: git knows no such commit here/);
});

test('--changed runs nothing of the repository', () => {
  const { cwd, git } = committed();
  const mark = join(scratch({}), 'ran');
  const program = `sh -c 'touch ${mark}; cat'`;
  for (const key of [
    'filter.x.clean',
    'filter.x.smudge',
    'filter.x.process',
    'diff.x.textconv',
    'diff.external',
    'core.fsmonitor',
  ])
    git('config', key, program);
  writeFileSync(join(cwd, '.gitattributes'), '* filter=x diff=x\n');
  writeFileSync(join(cwd, TESTER), named('tester', 'allowedTools: Read'));
  assert.is(policy(['lint', '--changed'], { cwd }).status, 1);
  assert.throws(() => readFileSync(mark), /ENOENT/);
});

test('--changed outside of a repository says what to do', () => {
  const cwd = scratch({ [REVIEWER]: definition('tools: Read') });
  assert.match(policy(['lint', '--changed'], { cwd }).stderr, /git reads no repository here; leave out the flag/);
});

test('--user: what coding agents read below the home folder, and nothing else of it', () => {
  const kept = scratch({ 'agents/linked.md': named('linked', 'tool: Read') });
  const HOME = scratch({
    [REVIEWER]: definition('tool: Read'),
    '.config/opencode/agent/helper.md': '---\ndescription: Helps.\nmode: subagent\ntools: [a\n---\nx\n',
    '.claude/projects/x/.claude/agents/history.md': named('history', 'tool: Read'),
    'work/.claude/agents/project.md': named('project', 'tool: Read'),
    'policy.yaml': 'version: 9\n',
    '.config/policy/policy.yaml': 'version: 1\npreset: readOnly\nalow: []\n',
    '.codex/config.toml': 'sandbox_mode = "workspace-write"\n',
  });
  symlinkSync(join(kept, 'agents'), join(HOME, '.gemini-agents'));
  const { status, stdout } = policy(['lint', '--user', '--format', 'compact'], { cwd: kept, env: { HOME } });
  assert.is(status, 1, stdout);
  assert.match(stdout, /^~\/\.claude\/agents\/reviewer\.md:4:1: error\[tools\/misspelled-key\]/m);
  assert.match(stdout, /^~\/\.config\/opencode\/agent\/helper\.md:/m);
  assert.match(stdout, /^~\/\.config\/policy\/policy\.yaml:3:1: error\[policy\/invalid\]/m);
  assert.match(stdout, /^~\/\.codex\/config\.toml:1:16: warning\[codex\/other-than-preset\]/m, 'R119');
  assert.not.match(stdout, /history|project\.md|~\/policy\.yaml/);
  policy(['lint', '--user', '--fix=unsafe'], { cwd: kept, env: { HOME } });
  assert.is(readFileSync(join(HOME, REVIEWER), 'utf8'), definition('tools: Read'));
  const none = policy(['lint', '--user'], { cwd: kept, env: { HOME: scratch({}) } });
  assert.is(none.status, 3);
  assert.match(none.stderr, /no coding agent keeps settings or definitions in your home folder/);
});

test('--watch lints again when a file has changed, and in a folder that is new', async () => {
  const cwd = scratch({ ...CLEAN_REPOSITORY, 'report.json': '' });
  const child = spawn(process.execPath, [COMMAND, 'lint', '--watch', '--output', 'json=report.json', '--format', 'compact'], {
    cwd,
    env: { PATH: process.env.PATH, HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (printed += String(part)));
  const saw = async (pattern: RegExp) => {
    for (let waited = 0; !pattern.test(printed); waited += 50) {
      assert.ok(waited < 30_000, `${pattern} in ${printed}`);
      await setTimeout(50);
    }
  };
  try {
    await saw(/Ctrl-C/);
    mkdirSync(join(cwd, '.claude/agents'), { recursive: true });
    writeFileSync(join(cwd, REVIEWER), definition('tool: Read'));
    await saw(/misspelled-key[\s\S]*Ctrl-C/);
    printed = '';
    writeFileSync(join(cwd, REVIEWER), definition('tools: Raed'));
    await saw(/resolves-to-nothing[\s\S]*Ctrl-C/);
    // The file that it writes itself is no reason to lint again.
    const before = printed;
    await setTimeout(1_000);
    assert.is(printed, before);
  } finally {
    child.kill();
  }
});

test.run();
