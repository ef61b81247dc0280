/** What a rule's examples are verified with: a line is met in whatever way it names the command, also before it is read. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ruleMatches } from '../../../src/project/rule-examples.js';
import { parseEntry } from '../../../src/rule/pattern/entry.js';
import type { Effect } from '../../../src/rule/pattern/permission-rule.js';

const ROWS: readonly (readonly [effect: Effect, rule: string, example: string, matches: boolean])[] = [
  ['deny', 'Bash(rm *)', 'rm x', true],
  ['deny', 'Bash(rm *)', 'rm', true],
  ['deny', 'Bash(rm *)', '/bin/rm x', true],
  ['deny', 'Bash(rm *)', 'timeout 5 rm x', true],
  ['deny', 'Bash(rm *)', 'sudo -u root rm x', true],
  ['deny', 'Bash(rm *)', 'r\\m x', true],
  ['deny', 'Bash(rm *)', '"r"m x', true],
  ['deny', 'Bash(rm *)', "bash -c 'rm x'", true],
  ['deny', 'Bash(rm *)', 'ls', false],
  ['deny', 'Bash(rm *)', 'echo rm', false],
  ['deny', 'Bash(echo *)', 'xargs -n1', true],
  ['ask', 'Bash(git push *)', 'git push', true],
  ['ask', 'Bash(git push *)', 'git stash list', false],
  ['ask', 'Bash(git push *)', 'git -C push status', false],
  ['ask', 'Bash(npm run deploy*)', 'npm run deploy:prod', true],
  ['ask', 'Bash(npm run deploy*)', 'npm run dev', false],
  ['deny', 'Bash(* --force)', 'git push --force', true],
  ['deny', 'PowerShell(rm *)', 'ls', false],
  ['deny', '*', 'ls', true],
  ['allow', 'Bash(npm test)', 'npm test', true],
  ['allow', 'Bash(npm test)', 'npm test -- --watch', false],
  ['deny', 'Read(.env)', '.env', true],
  ['allow', 'mcp__a__b(channel: C09*)', '{"channel": "C0912"}', true],
  ['allow', 'mcp__a__b(channel: C09*)', '{"channel": "D1"}', false],
  ['deny', 'mcp__a__b(channel: C09*)', 'C0912', false],
  ['deny', 'mcp__a__b(path: docs/**, n: 1)', '{"path": "/project/docs/a.md", "n": "1"}', true],
  ['allow', 'mcp__a__b(path: docs/**)', '{"path": "docs/../a.md"}', false],
  ['allow', 'mcp__a__b(command: npm test *)', '{"command": "npm test x"}', true],
  ['allow', 'mcp__a__b(command: npm test *)', '{"command": "npm test x; rm y"}', false],
  ['deny', 'mcp__a__b(command: rm *)', '{"command": "ls; rm y"}', true],
  ['deny', 'mcp__a__b(rm *)', '{"command": "ls; rm y"}', true],
  ['deny', 'Read(.env)', 'src/a.ts', false],
];
for (const [effect, text, example, matches] of ROWS)
  test(`${effect} ${text} ${matches ? 'matches' : 'does not match'} ${JSON.stringify(example)}`, () => {
    const entry = parseEntry(text);
    assert.ok(entry.ok);
    const { tool, pattern } = entry;
    const source = { file: 'policy.yaml', line: 1, column: 1 };
    assert.is(ruleMatches({ effect, tool, pattern, text, layer: 'project', source }, example), matches);
  });

test.run();
