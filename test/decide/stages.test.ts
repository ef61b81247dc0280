/** Stages, severity and authority: which source wins, and which stage is named. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { decideIn, type World } from './world.js';

interface Row {
  readonly why: string;
  readonly world: World;
  readonly tool: string;
  readonly input: string | Record<string, unknown>;
  readonly expect: string;
  readonly code?: RegExp;
}

const rows: readonly Row[] = [
  {
    why: 'the push of a rule is the subcommand, and no remote of that name',
    world: { allow: ['Bash(git push *)'] },
    tool: 'Bash',
    input: 'git push push',
    expect: 'policy ask',
  },
  {
    why: 'a deny about a field of a shell call overrides the allow of its command',
    world: { deny: ['Bash(run_in_background:true)'], allow: ['Bash(zz *)'] },
    tool: 'Bash',
    input: { command: 'zz a', run_in_background: true },
    expect: 'policy deny',
    code: /^rule\/deny$/,
  },
  {
    why: 'a deny about a field says nothing of calls without it',
    world: { deny: ['Bash(run_in_background:true)'], allow: ['Bash(zz *)'] },
    tool: 'Bash',
    input: { command: 'zz a', run_in_background: false },
    expect: 'policy allow',
  },
  {
    why: 'a deny about a field of an agent',
    world: { deny: ['Agent(model:op*)'], allow: ['Agent'] },
    tool: 'Agent',
    input: { subagent_type: 'rev', model: 'opus', prompt: 'x', description: 'x' },
    expect: 'policy deny',
    code: /^rule\/deny$/,
  },
  {
    why: 'an ask about a field of an MCP tool',
    world: { ask: ['mcp__a__b(mode:fast)'], allow: ['mcp__a__b'] },
    tool: 'mcp__a__b',
    input: { mode: 'fast' },
    expect: 'policy ask',
    code: /^rule\/ask$/,
  },
  {
    why: 'an allow about a field allows no call',
    world: { allow: ['Bash(run_in_background:true)'] },
    tool: 'Bash',
    input: { command: 'zz a', run_in_background: true },
    expect: 'policy ask',
  },
  {
    why: 'nothing is written: a project read passes',
    world: {},
    tool: 'Read',
    input: 'src/a.ts',
    expect: 'policy allow',
    code: /^default\/project-read$/,
  },
  { why: 'nothing is written: a read outside asks', world: {}, tool: 'Read', input: '/etc/passwd', expect: 'policy ask' },
  {
    why: 'nothing is written: bookkeeping passes',
    world: {},
    tool: 'TodoWrite',
    input: { todos: [] },
    expect: 'policy allow',
    code: /^default\/harmless$/,
  },
  { why: 'nothing is written: shell asks', world: {}, tool: 'Bash', input: 'git push', expect: 'policy ask' },
  { why: 'nothing is written: an unknown tool asks', world: {}, tool: 'Frobnicate', input: { x: 1 }, expect: 'policy ask' },
  {
    why: 'nothing is written: a secret read asks although it is in the project',
    world: {},
    tool: 'Read',
    input: '.env',
    expect: 'policy ask',
    code: /^secret\/path$/,
  },
  {
    why: 'preset safe allows git push',
    world: { preset: 'safe' },
    tool: 'Bash',
    input: 'git push',
    expect: 'policy allow',
    code: /^rule\/allow$/,
  },
  {
    why: 'preset readOnly has no shell',
    world: { preset: 'readOnly' },
    tool: 'Bash',
    input: 'git push',
    expect: 'policy deny',
    code: /^preset\/readOnly$/,
  },
  {
    why: 'preset readOnly denies even what a rule allows',
    world: { preset: 'readOnly', allow: ['Bash(git status)'] },
    tool: 'Bash',
    input: 'git status',
    expect: 'policy deny',
  },
  {
    why: 'preset readOnly denies the network',
    world: { preset: 'readOnly' },
    tool: 'WebFetch',
    input: 'https://example.com',
    expect: 'policy deny',
  },
  {
    why: 'preset readOnly reads the project',
    world: { preset: 'readOnly' },
    tool: 'Read',
    input: 'src/a.ts',
    expect: 'policy allow',
  },
  {
    why: 'preset inspect runs proven reads',
    world: { preset: 'inspect' },
    tool: 'Bash',
    input: 'cat src/a.ts | wc -l',
    expect: 'policy allow',
    code: /^preset\/proven-read$/,
  },
  {
    why: 'preset inspect asks about other shell',
    world: { preset: 'inspect' },
    tool: 'Bash',
    input: 'npm test',
    expect: 'policy ask',
  },
  {
    why: 'preset inspect does not read outside',
    world: { preset: 'inspect' },
    tool: 'Bash',
    input: 'cat /etc/hostname',
    expect: 'policy ask',
  },
  { why: 'preset inspect does not write', world: { preset: 'inspect' }, tool: 'Write', input: 'src/a.ts', expect: 'policy deny' },
  {
    why: 'preset all runs what cannot be read',
    world: { preset: 'all' },
    tool: 'Bash',
    input: 'echo $(date)',
    expect: 'policy allow',
  },
  {
    why: 'preset all does not run a line that does not parse',
    world: { preset: 'all' },
    tool: 'Bash',
    input: "echo 'a",
    expect: 'policy ask',
    code: /^shell\/parse-error$/,
  },
  {
    why: 'preset all does not lift the built-in denials',
    world: { preset: 'all' },
    tool: 'Bash',
    input: 'rm -rf /',
    expect: 'policy deny',
    code: /^builtin\/wipe$/,
  },
  {
    why: 'preset all does not lift protection',
    world: { preset: 'all' },
    tool: 'Bash',
    input: 'echo x > .git/config',
    expect: 'policy deny',
    code: /^protected\/path$/,
  },
  {
    why: 'deny wins over allow, whatever the order',
    world: { allow: ['Bash(rm *)'], deny: ['Bash(rm *)'] },
    tool: 'Bash',
    input: 'rm notes.txt',
    expect: 'policy deny',
    code: /^rule\/deny$/,
  },
  {
    why: 'ask wins over allow',
    world: { allow: ['Bash(git *)'], ask: ['Bash(git push *)'] },
    tool: 'Bash',
    input: 'git push',
    expect: 'policy ask',
    code: /^rule\/ask$/,
  },
  {
    why: 'a written allow passes where the preset would ask',
    world: { preset: 'safe', allow: ['Bash(npm run test *)'] },
    tool: 'Bash',
    input: 'npm run test -- --watch',
    expect: 'policy allow',
  },
  {
    why: 'a preset refusal is as strong as a written deny',
    world: { preset: 'safe', allow: ['Bash(git push --receive-pack=x *)'] },
    tool: 'Bash',
    input: 'git push --receive-pack=x',
    expect: 'policy deny',
  },
  {
    why: 'what a person may want asks under preset safe',
    world: { preset: 'safe', policy: { default: 'ask' } },
    tool: 'Bash',
    input: 'git push --force',
    expect: 'policy ask',
  },
  {
    why: 'and a rule that writes it out settles it',
    world: { preset: 'safe', allow: ['Bash(git push --force *)'] },
    tool: 'Bash',
    input: 'git push --force',
    expect: 'policy allow',
  },
  {
    why: 'a rule with a star does not',
    world: { preset: 'safe', allow: ['Bash(git *)'] },
    tool: 'Bash',
    input: 'git push --force',
    expect: 'policy ask',
  },
  {
    why: 'without a preset a rule may write a forcing option out',
    world: { allow: ['Bash(git push --force *)'] },
    tool: 'Bash',
    input: 'git push --force',
    expect: 'policy allow',
  },
  {
    why: 'a star does not stand for a forcing option',
    world: { allow: ['Bash(git push *)'] },
    tool: 'Bash',
    input: 'git push --force',
    expect: 'policy ask',
  },
  {
    why: 'a tier decides before the default',
    world: { policy: { tiers: { dangerous: 'deny' }, default: 'ask' } },
    tool: 'Bash',
    input: 'make',
    expect: 'policy deny',
    code: /^tier\/dangerous$/,
  },
  {
    why: 'a rule decides before the tier',
    world: { allow: ['Bash(make)'], policy: { tiers: { dangerous: 'deny' } } },
    tool: 'Bash',
    input: 'make',
    expect: 'policy allow',
  },
  {
    why: 'default deny',
    world: { policy: { default: 'deny' } },
    tool: 'Read',
    input: 'src/a.ts',
    expect: 'policy deny',
    code: /^default\/deny$/,
  },
  {
    why: 'default allow does not cover substitutions',
    world: { policy: { default: 'allow' } },
    tool: 'Bash',
    input: 'echo `id`',
    expect: 'policy ask',
  },
  {
    why: 'default allow does not cover redirections to files',
    world: { policy: { default: 'allow' } },
    tool: 'Bash',
    input: 'ls > out.txt',
    expect: 'policy ask',
  },
  {
    why: 'a written edit rule covers a redirection to that file',
    world: { allow: ['Bash(ls *)', 'Edit(build/**)'] },
    tool: 'Bash',
    input: 'ls > build/out.txt',
    expect: 'policy allow',
  },
  {
    why: 'and no other file',
    world: { allow: ['Bash(ls *)', 'Edit(build/**)'] },
    tool: 'Bash',
    input: 'ls > src/out.txt',
    expect: 'policy ask',
  },
  {
    why: 'a deny rule for reading stops cat',
    world: { allow: ['Bash(cat *)'], deny: ['Read(private/**)'] },
    tool: 'Bash',
    input: 'cat private/x',
    expect: 'policy deny',
  },
  {
    why: 'a deny rule for editing stops a redirection',
    world: { allow: ['Bash(*)'], deny: ['Edit(dist/**)'] },
    tool: 'Bash',
    input: 'echo x > dist/a.js',
    expect: 'policy deny',
  },
  {
    why: 'a deny rule meets inside sudo',
    world: { allow: ['Bash(*)'], deny: ['Bash(terraform *)'] },
    tool: 'Bash',
    input: 'sudo -n terraform apply',
    expect: 'policy deny',
  },
  {
    why: 'a deny rule meets inside bash -c',
    world: { allow: ['Bash(*)'], deny: ['Bash(terraform *)'] },
    tool: 'Bash',
    input: "bash -c 'cd x && terraform apply'",
    expect: 'policy deny',
  },
  {
    why: 'a deny rule meets inside a substitution',
    world: { allow: ['Bash(*)'], deny: ['Bash(terraform *)'] },
    tool: 'Bash',
    input: 'echo $(terraform apply)',
    expect: 'policy deny',
  },
  {
    why: 'a deny rule meets a path-qualified program',
    world: { allow: ['Bash(*)'], deny: ['Bash(terraform *)'] },
    tool: 'Bash',
    input: '/opt/bin/terraform apply',
    expect: 'policy deny',
  },
  {
    why: 'a transparent wrapper lets the inner command decide',
    world: { preset: 'safe' },
    tool: 'Bash',
    input: 'timeout 5 git status',
    expect: 'policy allow',
  },
  {
    why: 'sudo needs a rule of its own',
    world: { allow: ['Bash(git status *)'] },
    tool: 'Bash',
    input: 'sudo git status',
    expect: 'policy ask',
  },
  {
    why: 'a rule that names sudo gives it',
    world: { allow: ['Bash(sudo apt-get update)'] },
    tool: 'Bash',
    input: 'sudo apt-get update',
    expect: 'policy allow',
  },
  {
    why: 'an allowed edit outside the project through a link is not allowed',
    world: { preset: 'safe', links: { '/repo/src/link.ts': '/etc/hosts' } },
    tool: 'Edit',
    input: 'src/link.ts',
    expect: 'policy ask',
  },
  {
    why: 'a link into .git is protected',
    world: { preset: 'safe', links: { '/repo/src/link': '/repo/.git/config' } },
    tool: 'Write',
    input: 'src/link',
    expect: 'policy deny',
  },
  {
    why: 'a link to a secret asks',
    world: { preset: 'safe', links: { '/repo/notes.txt': '/home/me/.ssh/id_rsa' } },
    tool: 'Read',
    input: 'notes.txt',
    expect: 'policy ask',
    code: /^secret\/path$/,
  },
  {
    why: 'grep over a tree with a secret asks',
    world: { preset: 'safe', secrets: ['/repo/.env'] },
    tool: 'Bash',
    input: 'grep -r TOKEN .',
    expect: 'policy ask',
    code: /^secret\/tree$/,
  },
  {
    why: 'grep over a tree without one passes',
    world: { preset: 'safe' },
    tool: 'Bash',
    input: 'grep -r TOKEN src',
    expect: 'policy allow',
  },
  {
    why: 'a listing over a tree with a secret passes',
    world: { preset: 'safe', secrets: ['/repo/.env'] },
    tool: 'Bash',
    input: 'ls -R .',
    expect: 'policy allow',
  },
  {
    why: 'rg over a tree with a secret asks, whatever it is said to skip',
    world: { preset: 'safe', secrets: ['/repo/.env'] },
    tool: 'Bash',
    input: 'rg TOKEN',
    expect: 'policy ask',
  },
  {
    why: 'a link made earlier in the line hides where the next command reads',
    world: { allow: ['Bash(ln *)'], preset: 'safe' },
    tool: 'Bash',
    input: 'ln -s ../secret y && cat y/id',
    expect: 'policy ask',
    code: /^path\/replaced$/,
  },
  {
    why: 'a repository that would run a program makes git status ask',
    world: { preset: 'safe', git: { hazards: [{ key: 'core.fsmonitor', file: '.git/config', line: 4 }] } },
    tool: 'Bash',
    input: 'git status',
    expect: 'policy ask',
    code: /^git\/config$/,
  },
  {
    why: 'another repository than the project asks',
    world: { preset: 'safe', git: { directories: { '/repo': '/repo', '/repo/vendor/x': '/repo/vendor/x' } } },
    tool: 'Bash',
    input: 'cd vendor/x && git status',
    expect: 'policy ask',
  },
  {
    why: 'a protected branch asks',
    world: { preset: 'safe', policy: { protectedBranches: ['main'] } },
    tool: 'Bash',
    input: 'git push origin main',
    expect: 'policy ask',
    code: /^git\/protected-branch$/,
  },
  ...(['git push', 'git push origin', 'git push origin HEAD'] as const).map((input) => ({
    why: 'a protected branch asks, whichever of local branch and upstream it is',
    world: {
      preset: 'safe',
      policy: { protectedBranches: ['main'] },
      git: { branch: 'main', upstream: { remote: 'origin', branch: 'next' } },
    } as const,
    tool: 'Bash',
    input,
    expect: 'policy ask' as const,
    code: /^git\/on-protected-branch$/,
  })),
  ...(['git push', 'git push origin HEAD'] as const).map((input) => ({
    why: 'a rule written on another branch is not about the protected one that is checked out now',
    world: {
      allow: [`Bash(${input})`],
      policy: { protectedBranches: ['main'] },
      git: { branch: 'main', upstream: { remote: 'origin', branch: 'main' } },
    } as const,
    tool: 'Bash',
    input,
    expect: 'policy ask' as const,
    code: /^git\/on-protected-branch$/,
  })),
  {
    why: 'an unknown remote asks',
    world: { preset: 'safe' },
    tool: 'Bash',
    input: 'git push elsewhere feature/x',
    expect: 'policy ask',
    code: /^git\/remote-unknown$/,
  },
  {
    why: 'a variable in the environment that makes git run programs asks',
    world: { preset: 'safe', facts: { environment: [{ name: 'GIT_SSH_COMMAND', affects: 'git' }] } },
    tool: 'Bash',
    input: 'git fetch',
    expect: 'policy ask',
    code: /^environment\/executes$/,
  },
  {
    why: 'and leaves other commands alone',
    world: { preset: 'safe', facts: { environment: [{ name: 'GIT_SSH_COMMAND', affects: 'git' }] } },
    tool: 'Bash',
    input: 'ls src',
    expect: 'policy allow',
  },
  {
    why: 'a spent budget denies what the policy allows',
    world: {
      preset: 'safe',
      policy: { budget: { tokens: 100, calls: null, seconds: null, perAgent: {}, perAgentCalls: {}, perAgentSeconds: {} } },
      facts: { budget: { tokens: 100, calls: 0, seconds: 0, perAgent: {}, perAgentCalls: {}, perAgentSeconds: {} } },
    },
    tool: 'Bash',
    input: 'git status',
    expect: 'budget deny',
    code: /^budget\/tokens$/,
  },
  {
    why: 'a budget of calls',
    world: {
      policy: { budget: { tokens: null, calls: 3, seconds: null, perAgent: {}, perAgentCalls: {}, perAgentSeconds: {} } },
      facts: { budget: { tokens: 0, calls: 3, seconds: 0, perAgent: {}, perAgentCalls: {}, perAgentSeconds: {} } },
    },
    tool: 'Read',
    input: 'src/a.ts',
    expect: 'budget deny',
  },
  {
    why: 'a budget that is not spent changes nothing',
    world: {
      policy: { budget: { tokens: 100, calls: null, seconds: null, perAgent: {}, perAgentCalls: {}, perAgentSeconds: {} } },
      facts: { budget: { tokens: 99, calls: 0, seconds: 0, perAgent: {}, perAgentCalls: {}, perAgentSeconds: {} } },
    },
    tool: 'Read',
    input: 'src/a.ts',
    expect: 'policy allow',
  },
  {
    why: 'a tool denied whole',
    world: { deny: ['WebFetch'] },
    tool: 'WebFetch',
    input: 'https://example.com',
    expect: 'policy deny',
  },
  {
    why: 'the shell denied whole',
    world: { allow: ['Bash(ls)'], deny: ['Bash'] },
    tool: 'Bash',
    input: 'ls',
    expect: 'policy deny',
  },
  {
    why: 'an MCP tool meets the shell rules by its command field',
    world: { allow: ['mcp__box__run'], deny: ['Bash(rm *)'] },
    tool: 'mcp__box__run',
    input: { command: 'rm x' },
    expect: 'policy deny',
  },
  {
    why: 'an MCP tool meets the built-in denials by its command field',
    world: { allow: ['mcp__box__run'] },
    tool: 'mcp__box__run',
    input: { command: 'rm -rf /' },
    expect: 'policy deny',
    code: /^builtin\/wipe$/,
  },
  {
    why: 'an MCP tool with a harmless command passes by its own rule',
    world: { allow: ['mcp__box__run'] },
    tool: 'mcp__box__run',
    input: { command: 'ls' },
    expect: 'policy allow',
  },
  {
    why: 'an MCP tool may not write a protected path',
    world: { allow: ['mcp__fs__write_file'] },
    tool: 'mcp__fs__write_file',
    input: { path: '.git/hooks/pre-commit', content: 'x' },
    expect: 'policy deny',
  },
  ...(
    [
      ['saves over a protected path', { save_as: '.git/hooks/pre-commit' }, 'policy deny'],
      ['saves a file', { save_as: 'report.pdf' }, 'policy allow'],
      ['patches a protected path', { patch: '--- a/.git/config\n+++ b/.git/config\n@@ -1 +1 @@\n-a\n+b\n' }, 'policy deny'],
      ['patches a file', { patch: '--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-a\n+b\n' }, 'policy allow'],
      ['asks a host that is denied', { host: 'evil.example' }, 'policy deny'],
      ['asks a host that is denied, by its port', { host: 'evil.example:8080' }, 'policy deny'],
      ['asks another host', { host: 'good.example:8080' }, 'policy allow'],
      ['asks a host in an address', { callback_url: 'https://evil.example/x' }, 'policy deny'],
      ['fetches a file over a protected path', { path: 'a', output_path: '.git/hooks/x' }, 'policy deny', 'mcp__box__fetch'],
      ['fetches a file', { path: 'a', output_path: 'b' }, 'policy allow', 'mcp__box__fetch'],
      ['reads a protected path', { path: '.git/config' }, 'policy allow', 'mcp__box__fetch'],
    ] as const
  ).map(([what, input, expect, tool = 'mcp__box__do']) => ({
    why: `an MCP tool that ${what}`,
    world: { allow: ['mcp__box__do', 'mcp__box__fetch'], deny: ['WebFetch(domain:evil.example)'] },
    tool,
    input,
    expect,
  })),
  {
    why: 'an input that widens the call asks although the command is allowed',
    world: { preset: 'safe' },
    tool: 'Bash',
    input: { command: 'git status', dangerouslyDisableSandbox: true },
    expect: 'policy ask',
    code: /^input\/widening$/,
  },
  { why: 'onAsk deny', world: { policy: { onAsk: 'deny' } }, tool: 'Bash', input: 'make', expect: 'policy deny' },
  {
    why: 'onAsk allow settles a plain ask',
    world: { policy: { onAsk: 'allow' } },
    tool: 'Bash',
    input: 'make',
    expect: 'policy allow',
    code: /^on-ask\/allow$/,
  },
  {
    why: 'onAsk allow never settles a secret',
    world: { policy: { onAsk: 'allow' } },
    tool: 'Read',
    input: '.env',
    expect: 'policy ask',
  },
  {
    why: 'onAsk allow never settles what could not be read',
    world: { policy: { onAsk: 'allow' } },
    tool: 'Bash',
    input: 'echo `id`',
    expect: 'policy ask',
  },
  {
    why: 'onAsk allow is nothing under the lock',
    world: { policy: { onAsk: 'allow', locked: true } },
    tool: 'Bash',
    input: 'make',
    expect: 'policy ask',
  },
  {
    why: 'an exception of the user lifts protection',
    world: { preset: 'safe', policy: { except: ['node_modules/.cache/**'] } },
    tool: 'Write',
    input: 'node_modules/.cache/x',
    expect: 'policy allow',
  },
  {
    why: 'a dangerous custom tool without review asks although a rule allows it',
    world: { allow: ['Deploy'], policy: { customTools: [{ name: 'Deploy', tier: 'dangerous' }] } },
    tool: 'Deploy',
    input: {},
    expect: 'policy ask',
    code: /^tier\/no-review$/,
  },
  {
    why: 'with a review it passes',
    world: {
      allow: ['Deploy'],
      policy: { customTools: [{ name: 'Deploy', tier: 'dangerous', review: { by: 'a', date: '2026-01-01', reason: 'b' } }] },
    },
    tool: 'Deploy',
    input: {},
    expect: 'policy allow',
  },
];

for (const row of rows) {
  test(`${row.why}: ${row.tool} ${JSON.stringify(row.input)} → ${row.expect}`, () => {
    const decision = decideIn(row.world, row.tool, row.input);
    assert.is(`${decision.stage} ${decision.decision}`, row.expect, decision.message);
    if (row.code)
      assert.ok(
        decision.reasons.some((reason) => row.code?.test(reason.code)),
        decision.reasons.map((reason) => reason.code).join(' '),
      );
  });
}

test('headless: what would be asked is denied, and says so', () => {
  const decision = decideIn({}, 'Bash', 'make', { headless: true });
  assert.is(decision.decision, 'deny');
  assert.ok(decision.reasons.some((reason) => reason.code === 'ask/nobody'));
});

test('a mode that may drop questions: what would be asked is denied, and what is allowed stays allowed', () => {
  const asked = decideIn({}, 'Bash', 'make', { bypass: true });
  assert.is(asked.decision, 'deny');
  assert.ok(asked.reasons.some((reason) => reason.code === 'ask/bypass'));
  assert.is(decideIn({ allow: ['Bash(make)'] }, 'Bash', 'make', { bypass: true }).decision, 'allow');
});

test('a decision names the rule with its place, and every rule that matched', () => {
  const decision = decideIn(
    { allow: ['Bash(git *)'], ask: ['Bash(git push *)'], deny: ['Bash(git push --force *)'] },
    'Bash',
    'git push --force',
  );
  assert.is(decision.rule?.text, 'Bash(git push --force *)');
  assert.is(decision.rule?.file, 'policy.yaml');
  assert.equal(decision.matched.map((one) => one.effect).sort(), ['ask', 'deny']);
});

test('facts that are missing never prove anything', () => {
  assert.is(decideIn({ preset: 'safe', facts: { paths: {} } }, 'Read', 'src/a.ts').decision, 'ask');
  assert.is(decideIn({ preset: 'safe', facts: { secretTrees: {} } }, 'Bash', 'grep -r x src').decision, 'ask');
  assert.is(decideIn({ preset: 'safe', facts: { git: null } }, 'Bash', 'git push').decision, 'ask');
});

const CHANGED = { redefined: 'its description changed' };
for (const { why, world, more, expect } of [
  ...['mcp__a__b', 'mcp__a__*', 'mcp__a__b(mode: fast)', '*'].map((rule) => ({
    why: `is asked about in spite of ${rule} and onAsk: allow`,
    world: { allow: [rule], policy: { onAsk: 'allow' as const } },
    more: CHANGED,
    expect: 'ask mcp/redefined',
  })),
  {
    why: 'is asked about in spite of the preset all',
    world: { preset: 'all' as const },
    more: CHANGED,
    expect: 'ask mcp/redefined',
  },
  { why: 'is denied by a deny rule', world: { deny: ['mcp__a__b'] }, more: CHANGED, expect: 'deny rule/deny' },
  {
    why: 'is denied where nobody can be asked',
    world: { allow: ['mcp__a__b'] },
    more: { ...CHANGED, headless: true },
    expect: 'deny mcp/redefined',
  },
  { why: 'as it was pinned is allowed', world: { allow: ['mcp__a__b'] }, more: {}, expect: 'allow rule/allow' },
])
  test(`a tool of an MCP server whose definition changed ${why}`, () => {
    const { decision, reasons } = decideIn(world, 'mcp__a__b', { mode: 'fast' }, more);
    assert.is(`${decision} ${reasons[0]?.code}`, expect);
  });

test.run();
