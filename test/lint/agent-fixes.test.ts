// The corrections of the rules about agents: what they write, and that a second run has nothing left to write.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { applyFixes } from '../../src/lint/text/fix.js';
import { AGENT_CODE, CLAUDE, definition, GEMINI, lintTexts, OPENCODE } from './linted.js';

const test = suite('corrections of agents');

const map = (...lines: readonly string[]) =>
  definition('mode: subagent', 'permission:', '  bash:', ...lines.map((line) => `    ${line}`));
const LOOSE = ['"git push*": deny', '"rm *": ask', '"*": allow'];

const FIXES: readonly (readonly [say: string, path: string, before: string, after: string])[] = [
  ['a field in the wrong case', CLAUDE, definition('tools: Read').replace('name', 'Name'), definition('tools: Read')],
  [
    'values that need quotes, with CR LF',
    CLAUDE,
    "---\r\nname: reviewer\r\ndescription: Use when: it's done  \r\ntools: Read\r\n---\r\nRead.\r\n",
    "---\r\nname: reviewer\r\ndescription: 'Use when: it''s done'  \r\ntools: Read\r\n---\r\nRead.\r\n",
  ],
  [
    'line breaks in a plain value',
    CLAUDE,
    definition('tools: Read').replace('Reviews changes.', 'Says "yes".\\n\\nUse it.'),
    definition('tools: Read').replace('Reviews changes.', '"Says \\"yes\\".\\n\\nUse it."'),
  ],
  ['a * that hides denials', OPENCODE, map(...LOOSE), map('"*": allow', '"git push*": deny', '"rm *": ask')],
  [
    'a * that denies stays, since moving it would allow something',
    OPENCODE,
    map('"git log*": allow', '"*": deny'),
    map('"git log*": allow', '"*": deny'),
  ],
  [
    'a name for Gemini CLI',
    GEMINI,
    definition().replace('reviewer', 'Code Reviewer'),
    definition().replace('reviewer', 'code-reviewer'),
  ],
  ['read_only in the wrong case', AGENT_CODE, definition('read_only: True'), definition('read_only: true')],
];

for (const [say, path, before, after] of FIXES)
  test(say, () => {
    const { text } = applyFixes(before, lintTexts({ [path]: before }).findings);
    assert.is(text, after);
    assert.equal(applyFixes(text, lintTexts({ [path]: text }).findings).done, []);
  });

test.run();
