import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parseEntry, printEntry } from '../../src/rule/pattern/entry.js';

interface EntryVector {
  readonly kind: string;
  readonly input: string;
  readonly expect: 'lint-error' | { readonly tool: string; readonly pattern: string | null };
}

const vectors = readFileSync('test/fixtures/vectors/seed-vectors.jsonl', 'utf8')
  .split('\n')
  .filter((line) => line.includes('"kind": "entry"'))
  .map((line) => JSON.parse(line) as EntryVector);

for (const { input, expect } of vectors) {
  test(`vector: ${input}`, () => {
    const parsed = parseEntry(input);
    if (expect === 'lint-error') assert.not(parsed.ok);
    else assert.equal(parsed, { ok: true, ...expect });
  });
}

test('the vectors are there', () => {
  assert.is(vectors.length, 9);
});

const good: [text: string, tool: string, pattern: string | null, why: string][] = [
  ['*', '*', null, 'every tool'],
  ['mcp__srv__*', 'mcp__srv__*', null, 'all tools of a server'],
  ['codex_custom:my_analyzer', 'codex_custom:my_analyzer', null, 'a colon in a tool name'],
  ['Bash (ls)', 'Bash', 'ls', 'white space before the parenthesis'],
  ['Bash( ls )', 'Bash', 'ls', 'white space inside'],
  ['Bash(  )', 'Bash', null, 'only white space inside'],
  ['Bash(echo (x)', 'Bash', 'echo (x', 'the pattern goes up to the last parenthesis'],
  ['Bash(git status:*)', 'Bash', 'git status:*', 'the trailing legacy form'],
  ['Bash(npm run test:unit)', 'Bash', 'npm run test:unit', 'a command word with a colon'],
  ['Bash(npm run test:*)', 'Bash', 'npm run test:*', 'legacy form after a script name'],
  ['Bash(https://x.example/a *)', 'Bash', 'https://x.example/a *', 'a URL as first word'],
  ['Bash(./a:b c)', 'Bash', './a:b c', 'a path as first word'],
  ['Bash(run_in_background:true)', 'Bash', 'run_in_background:true', 'a parameter'],
  ['Bash(dangerouslyDisableSandbox:true)', 'Bash', 'dangerouslyDisableSandbox:true', 'a parameter'],
  ['Bash(docker run -p 80:80 *)', 'Bash', 'docker run -p 80:80 *', 'a colon between digits'],
  ['WebFetch(domain:example.com)', 'WebFetch', 'domain:example.com', 'a host'],
  ['Agent(model:opus)', 'Agent', 'model:opus', 'a parameter of another tool'],
  ['Skill(demo:*)', 'Skill', 'demo:*', 'a skill with arguments'],
  ['Read(//etc/**)', 'Read', '//etc/**', 'a path'],
];
for (const [text, tool, pattern, why] of good) {
  test(`${text}: ${why}`, () => {
    assert.equal(parseEntry(text), { ok: true, tool, pattern });
  });
}

const bad: [text: string, code: string, offset: number, says: string][] = [
  ['', 'rule/empty', 0, 'empty'],
  ['   ', 'rule/empty', 0, 'empty'],
  ['Bash(git *', 'rule/missing-paren', 10, 'Bash(git *)'],
  ['Bash)', 'rule/missing-paren', 4, 'Tool(pattern)'],
  ['Bash)ls(', 'rule/missing-paren', 8, 'closing'],
  ['Bash(git *)junk', 'rule/trailing-text', 11, 'write Bash(git *)'],
  [' Bash(ls) (x) y', 'rule/trailing-text', 13, 'Bash(ls) (x)'],
  ['(x)', 'rule/missing-tool', 0, 'Tool(pattern)'],
  ['!Bash(rm *)', 'rule/negation', 0, 'deny'],
  ['Bash, Read', 'rule/tool-name', 0, 'one tool'],
  ['Bäsh', 'rule/tool-name', 0, 'letters'],
  ['Bash(ls\u0000)', 'rule/control-character', 7, 'control'],
  ['Bash(ls\nrm)', 'rule/control-character', 7, 'control'],
  ['Bash(ls \u202e x)', 'rule/control-character', 8, 'direction'],
  ['Bash(git:status*)', 'rule/misplaced-colon', 8, 'Bash(git status*)'],
  ['Bash(git:* push)', 'rule/misplaced-colon', 8, 'Bash(git * push)'],
  ['bash(git:status)', 'rule/misplaced-colon', 8, 'bash(git status)'],
  ['Bash(:*)', 'rule/misplaced-colon', 5, 'no words'],
  [`Bash(${'x'.repeat(4096)})`, 'rule/too-long', 4096, '4096'],
];
for (const [text, code, offset, says] of bad) {
  test(`${text.slice(0, 30)} is refused: ${code}`, () => {
    const parsed = parseEntry(text);
    assert.not(parsed.ok);
    if (parsed.ok) return;
    assert.is(parsed.code, code);
    assert.is(parsed.offset, offset);
    assert.ok(parsed.message.includes(says), parsed.message);
  });
}

test('whatever is read prints to a rule that reads the same', () => {
  const text = fc.string({ unit: fc.constantFrom('B', 'a', '(', ')', ' ', '*', ':', '_', '/', '!', '.', '"', 'é', '\t') });
  fc.assert(
    fc.property(text, (given) => {
      const parsed = parseEntry(given);
      if (!parsed.ok) {
        assert.ok(parsed.code.startsWith('rule/') && parsed.offset <= given.length);
        return;
      }
      assert.equal(parseEntry(printEntry(parsed)), parsed);
    }),
    { numRuns: 2000 },
  );
});

test.run();
