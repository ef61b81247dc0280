/** The one line in which a hook answers. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { ToolCall } from '../../src/call/tool-call.js';
import type { Decision } from '../../src/decide/ruling/decision.js';
import { hookLine } from '../../src/hook/hook-line.js';
import { decideIn, settledIn, type World } from '../decide/world.js';

test('behind a full stop a new sentence begins', () => {
  const decision = decideIn({ preset: 'safe' }, 'CronCreate', { cron: '* * * * *', prompt: 'go on' });
  assert.match(decision.message, /\.$/);
  assert.is(
    hookLine(decision, '7', 'no rule can allow this'),
    'policy asks about CronCreate: It schedules a prompt that will run when nobody looks. No rule can allow this (decision 7)',
  );
});

test('parts without one are put together', () => {
  const decision = decideIn({ preset: 'safe' }, 'WebSearch', 'x');
  assert.match(
    hookLine(decision, '7', 'policy allow WebSearch'),
    /allows WebSearch; to always allow it, a person runs: policy allow WebSearch \(/,
  );
});

test('a message that stands alone keeps its full stop', () => {
  const decision = decideIn({ preset: 'safe' }, 'CronCreate', { cron: '* * * * *', prompt: 'go on' });
  assert.match(hookLine(decision, '7', null), /when nobody looks\. \(decision 7\)$/);
});

const SECRET = 'no rule can allow this: it may read secrets; let a person approve this call';
const SHELL = 'no rule can allow this: it cannot be analysed completely; use literal arguments, or let a person run it';
const REASON = { reason: 'Deleting trees needs a person.' };

/** [the decision; the remedy; the line without its id; why]: a client shows two lines of it, and the model does what it reads. */
const LINES: readonly (readonly [decision: Decision, settling: string | null, says: string, why: string])[] = [
  [
    decideIn({ deny: ['Bash(curl *)'] }, 'Bash', 'curl https://example.org'),
    'an allow rule cannot override a deny rule; to change it, edit policy.yaml:1',
    'policy denied Bash: Bash(curl *) denies it; go on without it, or ask the person to change the rule in policy.yaml:1',
    'a rule without words of its own',
  ],
  [
    ruled(decideIn({ deny: ['Bash(rm -r *)'] }, 'Bash', 'rm -r build'), REASON),
    'an allow rule cannot override a deny rule; to change it, edit policy.yaml:1',
    'policy denied Bash: Deleting trees needs a person. Go on without it, or ask the person to change the rule Bash(rm -r *) in policy.yaml:1',
    'the words of the person come first',
  ],
  [
    { ...ruled(decideIn({ deny: ['Bash(rm -r *)'] }, 'Bash', 'rm -r build'), REASON), suggestion: 'git clean -n' },
    'an allow rule cannot override a deny rule; to change it, edit policy.yaml:1; git clean -n is allowed instead',
    'policy denied Bash: Deleting trees needs a person. Try instead: git clean -n; the rule is Bash(rm -r *) in policy.yaml:1',
    'then what passes, then where it is changed',
  ],
  [
    decideIn({ allow: ['Bash(*)'], deny: ['Bash(git add -A*)'] }, 'Bash', './x.sh git add -A'),
    'an allow rule cannot override a deny rule; to change it, edit policy.yaml:1',
    'policy asks about Bash: it may match Bash(git add -A*), which denies; the rule is in policy.yaml:1',
    'what only may match is no denial',
  ],
  [
    decideIn({ ask: ['Bash(git push *)'] }, 'Bash', 'git push origin main'),
    'an allow rule cannot override an ask rule; to change it, edit policy.yaml:1',
    'policy asks about Bash: Bash(git push *) asks about it; the rule is in policy.yaml:1',
    'who is asked says yes or no',
  ],
  [
    decideIn({ ask: ['Bash(git push *)'], policy: { onAsk: 'deny' } }, 'Bash', 'git push origin main'),
    'an allow rule cannot override an ask rule; to change it, edit policy.yaml:1',
    'policy denied Bash: Bash(git push *) asks about it; onAsk: deny turns this question into a denial; let a person run it in a terminal; the rule is in policy.yaml:1',
    'where nobody is asked, the person has to do it',
  ],
  [
    decideIn({ preset: 'safe' }, 'Bash', 'rm a.txt'),
    "policy allow 'Bash(rm a.txt)'",
    "policy asks about Bash: no rule allows rm, which may delete files (a.txt); to always allow it, a person runs: policy allow 'Bash(rm a.txt)'",
    'the question itself is answered by yes: the command is for good',
  ],
  [
    decideIn({ preset: 'safe', policy: { onAsk: 'deny' } }, 'WebSearch', 'x'),
    'policy allow WebSearch',
    'policy denied WebSearch: no rule or preset allows WebSearch; onAsk: deny turns this question into a denial; to allow it, a person runs: policy allow WebSearch',
    'where nobody is asked, the command comes first',
  ],
  [
    decideIn({ preset: 'safe' }, 'Read', '.env'),
    SECRET,
    'policy asks about Read: .env may hold secrets (*.env); let a person approve this call; no rule can allow this',
    'the advice comes before the rule that would not help',
  ],
  [
    decideIn({ preset: 'safe' }, 'Bash', 'cat "$X"'),
    SHELL,
    'policy asks about Bash: Part of the command depends on the value of a variable: $X (and 1 more reason); use literal arguments, or let a person run it; no rule can allow this',
    'what the model can do instead',
  ],
];
for (const [decision, settling, says, why] of LINES)
  test(`${why}: ${says}`, () => {
    assert.is(hookLine(decision, '7', settling), `${says} (decision 7)`);
    assert.ok(says.length <= 180, `${says.length} characters`);
  });

function ruled(decision: Decision, more: { readonly reason: string }): Decision {
  return decision.rule === null ? decision : { ...decision, rule: { ...decision.rule, ...more } };
}

/** Calls with one reason and with many, in the words that policies, guards and presets have for them. */
const CALLS: readonly (readonly [tool: string, subject: string | Record<string, unknown>])[] = [
  ...['curl https://example.org', 'git push origin main', 'cat "$X"', 'cat .env; cat "$X"; rm -rf build', 'rm a.txt', 'rm -rf /'],
  ...[
    'cat .env && cat .env',
    'npx tool | sh',
    'echo x > .git/hooks/pre-commit',
    'sudo rm -rf build; git push',
    'git commit -m x',
  ],
  ...['for f in *; do rm "$f"; done', 'python3 -c "print(1)"; node -e 1', 'make deploy & make test', 'X=1 make; eval "$X"', 'ls'],
].map((line) => ['Bash', line] as const);
const OTHER_CALLS = [
  ['WebSearch', 'x'],
  ['Read', '.env'],
  ['Write', '.git/config'],
  ['CronCreate', { cron: '* * * * *', prompt: 'go on' }],
  ['Agent', { subagent_type: 'one', prompt: '' }],
  ['mcp__one__two', {}],
] as const;
const RULES = { ask: ['Bash(git *)', 'WebSearch', 'Bash(rm *)'], deny: ['Bash(curl *)'] };
const WORLDS: readonly (readonly [world: World, how: Partial<ToolCall>])[] = [
  [{ preset: 'safe' }, {}],
  [{ preset: 'safe' }, { headless: true }],
  [{ preset: 'safe' }, { bypass: true }],
  [{ preset: 'safe', policy: { onAsk: 'deny' } }, {}],
  [RULES, {}],
  [RULES, { headless: true }],
];

test('a line counts no reason that it says, and says none twice', () => {
  for (const [world, how] of WORLDS)
    for (const [tool, subject] of [...CALLS, ...OTHER_CALLS]) {
      const { decision, remedy } = settledIn(world, tool, subject, how);
      const line = hookLine(decision, '7', remedy);
      const [counted, ...more] = [...line.matchAll(/\(and (\d+) more reasons?\)/g)];
      assert.equal(more, [], line);
      // The first one may be told in the words of its rule.
      const [, ...messages] = new Set(decision.reasons.map(({ message }) => message));
      const times = (message: string) => line.toLowerCase().split(message.toLowerCase()).length - 1;
      assert.is(Number(counted?.[1] ?? 0), messages.filter((message) => times(message) === 0).length, line);
      assert.ok(
        messages.every((message) => times(message) <= 1),
        line,
      );
    }
});

test.run();
