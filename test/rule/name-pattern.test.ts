import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { compileRules } from '../../src/rule/rule-set.js';
import { rule, sameName, texts } from './rules.js';

const facts: [text: string, tool: string, name: string, allow: boolean, deny: boolean, why: string][] = [
  ['Agent(reviewer)', 'Agent', 'reviewer', true, true, 'exactly'],
  ['Agent(reviewer)', 'Agent', 'reviewer2', false, false, 'exactly'],
  ['Agent(reviewer)', 'Agent', 'Reviewer', false, false, 'case counts'],
  ['Agent(re*)', 'Agent', 'reviewer', true, true, 'a wildcard'],
  ['Skill(demo:*)', 'Skill', 'demo', true, true, 'the skill with any arguments'],
  ['Skill(demo *)', 'Skill', 'demo x', true, true, 'the skill with any arguments'],
  ['Skill(demo:*)', 'Skill', 'demo:sub', false, true, 'what is named below it only for a deny'],
  ['Skill(demo:*)', 'Skill', 'demonstration', false, false, 'another skill'],
  ['Skill(plugin:demo)', 'Skill', 'plugin:demo', true, true, 'a colon in a name'],
  ['mcp__srv__run(*x*)', 'mcp__srv__run', 'axb', true, true, 'an MCP tool'],
  ['WebSearch(cve *)', 'WebSearch', 'cve 2024', true, true, 'a query'],
];
for (const [text, tool, name, allow, deny, why] of facts) {
  test(`${text} and ${name}: ${why}`, () => {
    const rules = compileRules([rule('allow', text), rule('ask', text)], sameName);
    assert.is(rules.coversText(tool, 'name', name).length > 0, allow);
    assert.is(rules.meetsText(tool, 'query', name).length > 0, deny);
  });
}

test('a text never stands for a command or a path', () => {
  const rules = compileRules([rule('allow', 'mcp__srv__run(ls *)')], sameName);
  assert.equal(rules.coversText('mcp__srv__run', 'command', 'ls x; rm y'), []);
  assert.equal(rules.coversText('mcp__srv__run', 'path', 'ls x'), []);
});

test('a rule about a parameter is found by its tool, unless it allows', () => {
  const rules = compileRules([rule('deny', 'Bash(run_in_background:true)'), rule('allow', 'Agent(model:op*)')], sameName);
  assert.equal(texts(rules.fields('Bash').map(({ rule: one }) => one)), ['Bash(run_in_background:true)']);
  assert.equal(rules.fields('Agent'), []);
});

test.run();
