// One line of a batch: what is accepted, and that everything else is refused with a sentence.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { callFromLine } from '../../../src/cli/check/call-line.js';

test('the shortest line', () => {
  assert.equal(callFromLine('{"tool":"Bash","input":{}}'), { tool: 'Bash', input: {} });
});

test('all keys', () => {
  const call = { tool: 'Bash', input: { command: 'ls' }, agent: 'a', runner: 'codex', cwd: '/x', headless: true };
  assert.equal(callFromLine(JSON.stringify(call)), call);
});

const refused: readonly (readonly [line: string, sentence: RegExp])[] = [
  ['', /not JSON/],
  ['{', /not JSON/],
  ['{"tool":"Bash","input":{}} x', /not JSON/],
  ['null', /not a JSON object/],
  ['[]', /not a JSON object/],
  ['"Bash"', /not a JSON object/],
  ['{}', /"tool"/],
  ['{"tool":"","input":{}}', /"tool"/],
  ['{"tool":7,"input":{}}', /"tool"/],
  ['{"tool":"Bash"}', /"input"/],
  ['{"tool":"Bash","input":"ls"}', /"input"/],
  ['{"tool":"Bash","input":[]}', /"input"/],
  ['{"tool":"Bash","input":null}', /"input"/],
  ['{"tool":"Bash","input":{},"agent":""}', /"agent"/],
  ['{"tool":"Bash","input":{},"agent":null}', /"agent"/],
  ['{"tool":"Bash","input":{},"cwd":1}', /"cwd"/],
  ['{"tool":"Bash","input":{},"runner":"emacs"}', /claude-code/],
  ['{"tool":"Bash","input":{},"headless":"yes"}', /"headless"/],
  ['{"tool":"Bash","input":{},"agnet":"reviewer"}', /"agnet" is unknown/],
  ['{"tool":"Bash","input":{},"__proto__":{"agent":"x"}}', /"__proto__" is unknown/],
];
for (const [line, sentence] of refused)
  test(`refused: ${line}`, () => {
    const answer = callFromLine(line);
    assert.type(answer, 'string');
    assert.match(String(answer), sentence);
  });

test.run();
