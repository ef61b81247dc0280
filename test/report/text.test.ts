// The printed forms of a decision, on a decision made by hand: what stands where, and that nothing hostile gets through.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { CommandDecision, Decision, RuleReference } from '../../src/decide/ruling/decision.js';
import { decisionAsJson } from '../../src/report/json.js';
import { caretLines } from '../../src/report/printing/caret.js';
import { wrap } from '../../src/report/printing/wrap.js';
import { decisionExplained, decisionLine } from '../../src/report/text.js';

const plain = { color: false, width: 80 };
const source = 'git status; rm -rf "$HOME"';

const denied: RuleReference = {
  text: 'Bash(rm -rf *)',
  effect: 'deny',
  layer: 'project',
  file: 'policy.yaml',
  line: 118,
  column: 5,
  reason: 'Deleting trees needs a person.',
};
const allowed: RuleReference = {
  text: 'Bash(git status*)',
  effect: 'allow',
  layer: 'preset',
  file: 'presets/safe',
  line: 7,
  column: 3,
};

const status: CommandDecision = {
  text: 'git status',
  span: { start: 0, end: 10 },
  decision: 'allow',
  rule: allowed,
  reasons: [],
  inner: [],
};
const removal: CommandDecision = {
  text: 'rm -rf "$HOME"',
  span: { start: 12, end: 26 },
  decision: 'deny',
  rule: denied,
  reasons: [{ code: 'shell/parameter-expansion', message: 'Only the shell knows this value.', span: { start: 19, end: 26 } }],
  inner: [{ ...status, text: 'inner one' }],
};

const decision: Decision = {
  version: 1,
  decision: 'deny',
  stage: 'policy',
  rule: denied,
  matched: [allowed, denied],
  reasons: [{ code: 'rule/deny', message: 'Deleting trees needs a person.' }],
  stages: [
    { stage: 'agent', decision: 'allow', rule: null, reasons: [] },
    {
      stage: 'policy',
      decision: 'deny',
      rule: denied,
      reasons: [{ code: 'rule/deny', message: 'Deleting trees needs a person.' }],
    },
    { stage: 'budget', decision: 'allow', rule: null, reasons: [{ code: 'budget/none', message: 'No budget is set.' }] },
  ],
  commands: [status, removal],
  suggestion: 'git clean -n',
  message: 'Deleting trees needs a person.',
  call: { tool: 'Bash', canonical: 'Bash', agent: 'test-writer', runner: null },
};

test('one line holds the answer, the call, the agent, the reason and the rule with its place', () => {
  assert.is(
    decisionLine(decision, source, plain),
    'deny  Bash git status; rm -rf "$HOME" (agent test-writer)  · Deleting trees needs a person. [Bash(rm -rf *) policy.yaml:118]',
  );
});

test('one line stays one line whatever the input holds', () => {
  assert.not.match(decisionLine(decision, 'echo a\necho b\u2028c\u001b[31m', plain), /[\n\u2028\u001b]/);
});

test('one line stays short whatever the length of the input', () => {
  const line = decisionLine(decision, 'x'.repeat(100_000), plain);
  assert.ok(line.length < 400, String(line.length));
  assert.match(line, /x… \(100005 characters\)/);
});

test('the explanation at 80 columns', () => {
  assert.is(
    decisionExplained(decision, source, plain),
    `DENY   Bash git status; rm -rf "$HOME" (agent test-writer)
       Deleting trees needs a person.

Stages
  agent   allow  nothing against it
▸ policy  deny   Bash(rm -rf *)  policy.yaml:118:5 (project)
                 Deleting trees needs a person.
  budget  allow  No budget is set.

Commands found
  ├─ allow  git status
  │         Bash(git status*)  presets/safe:7:3 (preset)
  └─ deny   rm -rf "$HOME"
     │      Bash(rm -rf *)  policy.yaml:118:5 (project)
     │      git status; rm -rf "$HOME"
     │                         ^^^^^^^
     │      Only the shell knows this value. (shell/parameter-expansion)
     └─ allow  inner one
               Bash(git status*)  presets/safe:7:3 (preset)

Rules that matched
  deny   Bash(rm -rf *)  policy.yaml:118:5 (project)
         Deleting trees needs a person.
  allow  Bash(git status*)  presets/safe:7:3 (preset)

Allowed instead
  git clean -n
`,
  );
});

for (const width of [40, 60, 80, 120])
  test(`no line of an explanation is longer than ${width} columns`, () => {
    const long = `echo ${'x'.repeat(300)} && ${'very long words '.repeat(20)}`;
    const lines = decisionExplained({ ...decision, message: long, suggestion: long }, long, { color: false, width }).split('\n');
    assert.equal(
      lines.filter((line) => [...line].length > width),
      [],
    );
  });

test('without colour nothing is sent but text; with colour the answer is painted', () => {
  assert.not.match(decisionExplained(decision, source, plain), /\u001b/);
  assert.match(
    decisionExplained(decision, source, { color: true, width: 80 }),
    /\u001b\[1m\u001b\[31mDENY|\u001b\[31m\u001b\[1mDENY/,
  );
});

test('every text of a decision is escaped in the explanation', () => {
  const hostile = '\u001b]0;owned\u0007\u202e';
  const rule = { ...denied, text: hostile, file: hostile, reason: hostile };
  const text = decisionExplained(
    {
      ...decision,
      rule,
      matched: [rule],
      message: hostile,
      suggestion: hostile,
      reasons: [{ code: hostile, message: hostile }],
      stages: decision.stages.map((stage) => ({ ...stage, rule, reasons: [{ code: hostile, message: hostile }] })),
      commands: [{ ...removal, text: hostile, rule, reasons: [{ code: hostile, message: hostile, span: { start: 0, end: 4 } }] }],
      call: { tool: hostile, canonical: hostile, agent: hostile, runner: hostile },
    },
    hostile.repeat(3),
    plain,
  );
  assert.not.match(text, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
});

test('a decision as JSON parses back to the same decision, on one line', () => {
  const json = decisionAsJson({ ...decision, message: 'two\nlines \u2028 \u202e' });
  assert.is(json.includes('\n'), false);
  assert.equal(JSON.parse(json), { ...decision, message: 'two\nlines \u2028 \u202e' });
});

test('the keys of the JSON do not depend on the order in which the decision was built', () => {
  const reversed = Object.fromEntries(Object.entries(decision).reverse()) as unknown as Decision;
  assert.is(decisionAsJson(reversed), decisionAsJson(decision));
});

const carets: readonly (readonly [
  what: string,
  source: string,
  start: number,
  end: number,
  shown: readonly [string, string] | null,
])[] = [
  ['a word in the middle', 'git push --force', 9, 16, ['git push --force', '         ^^^^^^^']],
  ['the right line of several', 'a\nb c\nd', 4, 5, ['b c', '  ^']],
  ['a span over two lines is marked on the first', 'a <<E\nx\nE', 2, 9, ['a <<E', '  ^^^']],
  ['escaped characters keep the carets in place', '\u001b x', 2, 3, ['\\x1b x', '     ^']],
  ['a span outside the text', 'ls', 5, 9, null],
  ['an empty span', 'ls', 1, 1, null],
  ['a negative span', 'ls', -3, 1, null],
];
for (const [what, text, start, end, shown] of carets)
  test(`carets: ${what}`, () => {
    assert.equal(caretLines(text, { start, end }, 60), shown);
  });

test('carets: a long line is cut on both sides around the span', () => {
  const shown = caretLines(`${'a'.repeat(100)}BAD${'c'.repeat(100)}`, { start: 100, end: 103 }, 30);
  assert.equal(shown, ['…aaaaaaaaaBADcccccccccccccccc…', '          ^^^']);
});

const wrapped: readonly (readonly [text: string, width: number, lines: readonly string[]])[] = [
  ['', 10, ['']],
  ['one two', 10, ['one two']],
  ['one two three', 7, ['one two', 'three']],
  ['abcdefghij', 4, ['abcd', 'efgh', 'ij']],
  ['🚫🚫🚫', 4, ['🚫🚫', '🚫']],
];
for (const [text, width, lines] of wrapped)
  test(`wrapped at ${width}: ${text}`, () => {
    assert.equal(wrap(text, width), lines);
  });

test.run();
