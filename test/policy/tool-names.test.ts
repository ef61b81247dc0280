// Tools that nobody has, in the rules of a policy: which of them are mistakes, and which may be tools of the user's own.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { toolNameMistakes } from '../../src/policy/tool-names.js';
import { layer } from './composing.js';

const misspelt: readonly (readonly [tool: string, meant: string])[] = [
  ['Bsh', 'Bash'],
  ['Bahs', 'Bash'],
  ['abSh', 'Bash'],
  ['Raed', 'Read'],
  ['WebFetsh', 'WebFetch'],
  ['WebSerch', 'WebSearch'],
  ['NotebokEdti', 'NotebookEdit'],
];
for (const [tool, meant] of misspelt)
  test(`${tool} is a mistake for ${meant}, in every list`, () => {
    const { rules } = layer('project', `allow: [${tool}(a)]\nask: [${tool}(b)]\ndeny: [${tool}(c)]`).document;
    const { problems, notes } = toolNameMistakes(rules, []);
    assert.equal(
      problems.map(({ code, source: { line, column } }) => `${code} ${line}:${column}`),
      ['rule/misspelt-tool 2:9', 'rule/misspelt-tool 3:7', 'rule/misspelt-tool 4:8'],
    );
    assert.match(problems[0]?.message ?? '', new RegExp(`^No runner has a tool "${tool}"; did you mean ${meant}\\?`));
    assert.equal(notes, []);
    assert.equal(toolNameMistakes(rules, [tool]).problems, [], 'a declared tool is known');
  });

for (const tool of ['MyTool', 'jira_create', 'Tasks', 'Bash2', 'Reader', 'Reply', 'Ask', 'Deploy', 'x'.repeat(200)])
  test(`${tool.slice(0, 20)} may be a tool of its own, and is noted`, () => {
    const { problems, notes } = toolNameMistakes(layer('project', `deny: [${tool}]`).document.rules, []);
    assert.equal([problems, notes.map(({ code }) => code)], [[], ['rule/unknown-tool']]);
  });

for (const tool of ['Bash', 'bash', 'FileRead', 'run_shell_command', 'mcp__Bsh__bash', 'mcp__github', 'Bs*', '*'])
  test(`nothing is said of ${tool}`, () => {
    const found = toolNameMistakes(layer('project', `deny: ["${tool}"]`).document.rules, []);
    assert.equal(found, { problems: [], notes: [] });
  });

test.run();
