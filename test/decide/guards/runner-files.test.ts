/** Files that a runner keeps for its own sessions, and the parts of its folder in the home that a person may have edited. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { RunnerId } from '../../../src/call/tool-call.js';
import { decideIn, type World } from '../world.js';

const SCRATCH = '/tmp/claude-1000/-repo/0b5e-44/scratchpad';
const RESULTS = '/home/me/.claude/projects/-repo/0b5e-44/tool-results';
const SAFE: World = { preset: 'safe', policy: { default: 'ask' } };

type Row = readonly [tool: string, input: string | Record<string, unknown>, said: 'allow' | 'ask' | 'deny', why: string];

const ROWS: readonly Row[] = [
  ['Write', '/home/me/.claude/plans/add-a-login.md', 'allow', 'the plan that plan mode shows'],
  ['Edit', '/home/me/.claude/plans/add-a-login.md', 'allow', 'the same'],
  ['Read', '/home/me/.claude/plans/add-a-login.md', 'allow', 'the same'],
  ['Write', '/home/me/.claude/projects/-repo/memory/MEMORY.md', 'allow', 'notes for later sessions'],
  ['Edit', '/home/me/.claude/projects/-repo/memory/topics/build.md', 'allow', 'notes for later sessions'],
  ['Write', `${SCRATCH}/try.py`, 'allow', 'scratch work'],
  ['Read', `${SCRATCH}/out/log.txt`, 'allow', 'scratch work'],
  ['Read', `${RESULTS}/toolu_1.txt`, 'allow', 'a result too long for the model'],
  ['Read', '/tmp/claude-1000/-repo/tasks/b1.output', 'allow', 'what a background command printed'],
  ['Bash', 'cat ~/.claude/plans/add-a-login.md', 'allow', 'a plain read'],
  ['Bash', `grep -n error ${RESULTS}/toolu_1.txt | head -20`, 'allow', 'a plain read'],
  ['Bash', `ls -la ${SCRATCH}`, 'allow', 'a plain read'],

  ['Write', '/home/me/.claude/plans/../settings.json', 'deny', 'another file'],
  ['Write', '/home/me/.claude/plans/run.sh', 'ask', 'no text'],
  ['Write', '/home/me/.claude/plans/.git/hooks/pre-commit', 'deny', 'hooks of git'],
  ['Write', '/home/me/.claude/projects/-repo/0b5e-44.jsonl', 'deny', 'a transcript'],
  ['Write', '/home/me/.claude/projects/-other/memory/MEMORY.md', 'ask', 'notes that another project will read'],
  ['Edit', '/home/me/.claude/projects/-repo/memory/x.jsonl', 'ask', 'no note'],
  ['Write', '/home/me/.claude/projects/memory/x.md', 'deny', 'not where notes are'],
  ['Read', '/home/me/.claude/projects/-repo/0b5e-44.jsonl', 'ask', 'a transcript'],
  ['Write', `${RESULTS}/toolu_1.txt`, 'deny', 'results are written by the runner'],
  ['Write', `${SCRATCH}/../../../../../etc/cron.d/x`, 'ask', 'elsewhere'],
  ['Write', '/tmp/claude-1000/x', 'ask', 'not in the folder of a session'],
  ['Write', '/tmp/claude-x/-repo/0b5e-44/scratchpad/a', 'ask', 'of no user'],
  ['Write', `${SCRATCH}/.git/hooks/pre-commit`, 'deny', 'hooks of git'],
  ['Read', `${SCRATCH}/.env`, 'ask', 'secrets'],
  ['Bash', 'echo x > ~/.claude/plans/add-a-login.md', 'ask', 'plans are edited by the tools of the runner'],
  ['Bash', `echo x > ${SCRATCH}/a`, 'ask', 'so is scratch work'],
  ['Bash', `python3 ${SCRATCH}/try.py`, 'ask', 'what is read may not therefore be run'],
  ['Bash', `rm -rf ${SCRATCH}`, 'ask', 'deleting is no read'],
  ['Bash', 'cat ~/.claude/plans/*', 'ask', 'links of any name'],
  ['mcp__fs__write_file', { path: '/home/me/.claude/plans/a.md', content: 'x' }, 'ask', 'a tool of a server'],

  ['Write', '/home/me/.claude/agents/reader.md', 'ask', 'an agent, as in the project'],
  ['Edit', '/home/me/.claude/CLAUDE.md', 'ask', 'instructions'],
  ['Write', '/home/me/.claude/skills/x/SKILL.md', 'ask', 'a skill'],
  ['Write', '/home/me/.claude/commands/x.md', 'ask', 'a command'],
  ['Bash', 'cp a.md ~/.claude/commands/x.md', 'ask', 'a command, by the shell'],
  ['Bash', 'rm ~/.claude/skills/x/*.md', 'ask', 'some of a skill'],
  ['Write', '/home/me/.codex/AGENTS.md', 'ask', 'instructions of another runner'],
  ['Write', '/home/me/.claude/settings.json', 'deny', 'settings'],
  ['Write', '/home/me/.claude/settings.local.json', 'deny', 'settings'],
  ['Edit', '/repo/.claude/settings.local.json', 'deny', 'settings, which hold the hook'],
  ['Write', '/home/me/.claude/hooks/x.sh', 'deny', 'a hook'],
  ['Write', '/home/me/.claude/plugins/x/plugin.json', 'deny', 'a plugin'],
  ['Write', '/home/me/.claude/.credentials.json', 'deny', 'a login'],
  ['Write', '/home/me/.claude/local/claude', 'deny', 'the runner itself'],
  ['Write', '/home/me/.claude/shell-snapshots/x.sh', 'deny', 'read by each shell that the runner starts'],
  ['Bash', 'rm -rf ~/.claude', 'deny', 'all of it'],
  ['Bash', 'rm -rf ~/.claude/projects', 'deny', 'transcripts, too'],
  ['Bash', 'rm -rf ~/.claude/*', 'deny', 'all of it'],
  ['Bash', 'cp x ~/.claude/skills/node_modules/a.js', 'deny', 'installed code'],
  ['Write', '/home/me/.claude/skills/.git/config', 'deny', 'settings of git'],
];
for (const [tool, input, said, why] of ROWS)
  test(`claude-code: ${tool} ${JSON.stringify(input)}, ${why}: ${said}`, () => {
    const decision = decideIn(SAFE, tool, input, { runner: 'claude-code' });
    assert.is(decision.decision, said, decision.message);
  });

/** The same files, for who does not keep them. */
for (const runner of ['codex', 'gemini-cli', undefined] as readonly (RunnerId | undefined)[])
  test(`runner ${runner}: plans and notes of another runner ask`, () => {
    const answer = (tool: string, path: string) => decideIn(SAFE, tool, path, runner && { runner }).decision;
    const write = runner === 'gemini-cli' ? 'write_file' : runner === 'codex' ? 'Write' : 'Write';
    assert.is(answer(write, '/home/me/.claude/plans/a.md'), 'ask');
    assert.is(answer('Bash', `cat ${RESULTS}/toolu_1.txt`), 'ask');
  });

/** [command, rule, answer] of hooks in the project: to run one is no write of it. */
const RUNS: readonly (readonly [command: string, rule: string | null, said: 'allow' | 'ask' | 'deny', why: RegExp])[] = [
  ['python3 .claude/hooks/x.py', null, 'ask', /^no rule allows python3/],
  ['python3 .claude/hooks/x.py', 'python3 .claude/hooks/x.py', 'allow', /x\.py/],
  ['bash .claude/hooks/x.sh', 'bash .claude/hooks/x.sh', 'allow', /x\.sh/],
  ['node ./.cursor/hooks/x.js', 'node ./.cursor/hooks/x.js', 'allow', /x\.js/],
  ['python3 .claude/hooks/x.py .claude/hooks/y.py', 'python3 *', 'ask', /writing \.claude\/hooks\/y\.py asks/],
  ['python3 tool.py .claude/hooks/x.py', 'python3 *', 'ask', /writing \.claude\/hooks\/x\.py asks/],
  ['python3 .claude/settings.json', 'python3 *', 'ask', /^running \.claude\/settings\.json asks/],
  ['node ~/.claude/hooks/x.js', 'node *', 'ask', /^running ~\/\.claude\/hooks\/x\.js asks/],
  ['cp x .claude/hooks/x.py', 'cp *', 'deny', /is blocked/],
  ['sed -i s/a/b/ .claude/hooks/x.py', 'sed *', 'deny', /is blocked/],
  ['unknown .claude/hooks/x.py', 'unknown *', 'ask', /writing/],
];
for (const [command, rule, said, why] of RUNS)
  test(`a hook of the project: ${command} with ${rule}: ${said}`, () => {
    const allow = rule === null ? [] : [`Bash(${rule})`];
    const decision = decideIn({ ...SAFE, allow }, 'Bash', command, { runner: 'claude-code' });
    assert.is(decision.decision, said, decision.message);
    assert.match(decision.message, why);
  });

test('a link to elsewhere is no file of the runner', () => {
  const links = {
    '/home/me/.claude/plans/a.md': '/home/me/.ssh/config',
    '/home/me/.claude/plans/b.md': '/home/me/notes.md',
    [`${SCRATCH}/c`]: '/etc/passwd',
  };
  const answer = (tool: string, path: string) => decideIn({ ...SAFE, links }, tool, path, { runner: 'claude-code' }).decision;
  assert.is(answer('Write', '/home/me/.claude/plans/a.md'), 'deny');
  assert.is(answer('Write', '/home/me/.claude/plans/b.md'), 'ask');
  assert.is(answer('Read', `${SCRATCH}/c`), 'ask');
  assert.is(answer('Bash', `cat ${SCRATCH}/c`), 'ask');
});

test('what a person wrote outweighs that the runner keeps the file', () => {
  const plan = '/home/me/.claude/plans/a.md';
  const answer = (world: World) => decideIn(world, 'Write', plan, { runner: 'claude-code' }).decision;
  assert.is(answer({ ...SAFE, deny: ['Edit(~/.claude/**)'] }), 'deny');
  assert.is(answer({ ...SAFE, ask: ['Edit'] }), 'ask');
  assert.is(answer({ preset: 'readOnly' }), 'deny');
  assert.is(answer({ policy: { default: 'deny' } }), 'deny');
  assert.is(answer({}), 'allow');
});

test.run();
