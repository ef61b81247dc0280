/** What a person may write in a definition, dialect by dialect. */
import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Dialect } from '../../src/agent/agent.js';
import { parseAgent } from '../../src/agent/dialects/parse.js';
import { validateAgentAgentCode } from '../../src/generated/validators/agent-agent-code.js';
import { validateAgentClaudeCode } from '../../src/generated/validators/agent-claude-code.js';
import { validateAgentCodexMarkdown } from '../../src/generated/validators/agent-codex-markdown.js';
import { validateAgentCodexYaml } from '../../src/generated/validators/agent-codex-yaml.js';
import type { Validator } from '../../src/generated/validators/validator.js';

const VALIDATORS: Readonly<Record<Dialect, Validator>> = {
  'claude-code': validateAgentClaudeCode,
  'codex-markdown': validateAgentCodexMarkdown,
  'codex-yaml': validateAgentCodexYaml,
  'agent-code': validateAgentAgentCode,
};

/** [dialect, YAML, valid, why] */
const rows: readonly (readonly [Dialect, string, boolean, string])[] = [
  ['claude-code', 'name: a\ndescription: d\ntools: Read, Grep\nmodel: opus', true, 'the form of the official documents'],
  [
    'claude-code',
    'name: a\ndescription: d\ntools: [Read]\npolicy: {deny: ["Bash(rm *)"], permission_mode: ask}',
    true,
    'with our own keys',
  ],
  ['claude-code', 'name: a\ndescription: d\nallowedTools: [Read]', false, 'a key that restricts nothing'],
  ['claude-code', 'name: a\ndescription: d\ntools: {Read: true}', false, 'a map gives no tools'],
  ['claude-code', 'name: A B\ndescription: d', false, 'a name in capitals'],
  ['claude-code', 'name: a', false, 'no description'],
  ['claude-code', 'name: a\ndescription: d\npolicy: {denny: [x]}', false, 'a misspelt key of ours'],
  ['claude-code', 'name: a\ndescription: d\npolicy: {permission_mode: yolo}', false, 'an unknown mode'],
  ['codex-markdown', 'name: a\ndescription: d\ntools: [git, npm]\nmodel: gpt-5-codex', true, 'seed 000 and 002'],
  ['codex-markdown', 'name: a\ndescription: d\ntools: git, npm', false, 'a text for a list'],
  ['codex-markdown', 'name: a\ndescription: d\nscope: user', false, 'the scope follows from the place'],
  [
    'agent-code',
    'name: search-only\ndescription: d\ninclude_tools: [Grep]\npermission_mode: deny\nallow: ["FileRead(src/**)"]',
    true,
    'seed 003',
  ],
  ['agent-code', 'description: d', true, 'the file gives the name'],
  ['agent-code', 'name: a\ndescription: d\nread_only: "yes"', false, 'a word for a switch'],
  ['agent-code', 'name: a\ndescription: d\ntools: [Read]', false, 'a key that agent-code does not read'],
  [
    'codex-yaml',
    'name: a\ngoal: g\ntools: {mcp: [codex_grep], fs: {read: true, write: [./out]}, shell: {exec: [npm]}}',
    true,
    'seed 004',
  ],
  ['codex-yaml', 'name: a\ngoal: g\ndelegation: {parallel: true, tools: [codex_*]}', true, 'R270'],
  ['codex-yaml', 'name: a\ngoal: g\npolicies: {context: {retention: forever}}', false, 'R273'],
  ['codex-yaml', 'name: a\ngoal: g\npolicies: {net: {allow: [x]}}', false, 'a map that upstream cannot read'],
  ['codex-yaml', 'name: a\ngoal: g\ntools: [x]', false, 'a list of tools'],
  ['codex-yaml', 'name: Python Reviewer\ngoal: g', false, 'a name with a space'],
];

for (const [dialect, yaml, valid, why] of rows)
  test(`${dialect}: ${valid ? 'valid' : 'refused'}: ${why}`, () => {
    const validate = VALIDATORS[dialect];
    assert.is(validate(load(yaml)), valid, JSON.stringify(validate.errors?.slice(0, 3)));
    // What the schema takes, the parser takes.
    const text = dialect === 'codex-yaml' ? yaml : `---\n${yaml}\n---\nbody\n`;
    const agent = parseAgent(text, { file: 'a.md', dialect, scope: 'project' });
    if (valid) assert.is(agent.status, 'active', JSON.stringify(agent.errors));
  });

/** Every object closed, every property described. */
function walk(node: unknown, path: string): void {
  if (typeof node !== 'object' || node === null) return;
  const schema = new Map<string, unknown>(Object.entries(node));
  const properties = schema.get('properties');
  if (typeof properties === 'object' && properties !== null) {
    assert.is(schema.get('additionalProperties'), false, path);
    for (const [name, property] of Object.entries(properties))
      assert.ok(
        typeof property === 'object' && property !== null && ('description' in property || '$ref' in property),
        `${path}/${name}`,
      );
  }
  for (const [name, child] of schema) walk(child, `${path}/${name}`);
}

for (const name of ['agent-claude-code', 'agent-codex-markdown', 'agent-codex-yaml', 'agent-agent-code', 'tool-catalogue'])
  test(`schema ${name} is closed, and describes what it takes`, () => {
    walk(JSON.parse(readFileSync(`schemas/${name}.schema.json`, 'utf8')), name);
  });

test.run();
