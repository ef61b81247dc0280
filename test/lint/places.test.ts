// Every file that the documentation of a runner names is found with no argument, and read as what it is.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EVERYWHERE, findFiles } from '../../src/lint/files/read-files.js';
import type { FileKind } from '../../src/lint/places/file-kind.js';
import { scratch } from '../cli/spawned.js';
import { definition, lintTexts } from './linted.js';

const test = suite('lint places');

function folder(files: Readonly<Record<string, string>>): string {
  const root = scratch({});
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}

/** `agent claude-code`, `config mcp`, `skill claude-code`. */
function words(kind: FileKind): string {
  if (kind.kind === 'agent') return `agent ${kind.format}${kind.guessed === true ? ' (guessed)' : ''}`;
  if (kind.kind === 'config') return `config ${kind.config}`;
  return kind.kind === 'text' ? `${kind.text} ${kind.runner ?? 'any'}` : kind.kind;
}

function found(files: Readonly<Record<string, string>>, isNamed: (path: string) => boolean = () => false) {
  const options = { ...EVERYWHERE, isNamed };
  return Object.fromEntries(findFiles(folder(files), options).files.map(({ path, kind }) => [path, words(kind)]));
}

const PLACES: Readonly<Record<string, string>> = {
  '.agent/agents/a.md': 'agent agent-code',
  '.agent/settings.toml': 'config agent-code-settings',
  '.agents/skills/deploy/SKILL.md': 'skill any',
  '.claude/agents/team/a.md': 'agent claude-code',
  '.claude/commands/ship.md': 'command claude-code',
  '.claude/output-styles/brief.md': 'instructions claude-code',
  '.claude/rules/tests.md': 'instructions claude-code',
  '.claude/settings.json': 'config claude-settings',
  '.claude/settings.local.json': 'config claude-settings',
  '.claude/skills/deploy/SKILL.md': 'skill claude-code',
  '.codex/agents/a.md': 'agent codex-markdown',
  '.codex/agents/a.toml': 'agent codex',
  '.codex/agents/a.yaml': 'agent codex-yaml',
  '.codex/config.toml': 'config codex-config',
  '.codex/hooks.json': 'config codex-hooks',
  '.codex/prompts/ship.md': 'command codex',
  '.codex/rules/default.rules': 'config codex-rules',
  '.codex/policies/mcp.allowlist': 'config codex-mcp-allowlist',
  '.codex/policies/net.allowlist': 'config codex-net-allowlist',
  '.cursor/agents/a.md': 'agent cursor',
  '.cursor/cli.json': 'config cursor-cli',
  '.cursor/hooks.json': 'config cursor-hooks',
  '.cursor/mcp.json': 'config mcp',
  '.cursor/permissions.json': 'config cursor-permissions',
  '.cursor/rules/style.mdc': 'instructions cursor',
  '.cyrus/config.json': 'config cyrus-config',
  '.gemini/agents/a.md': 'agent gemini-cli',
  '.gemini/commands/ship.toml': 'command gemini-cli',
  '.gemini/policies/team.toml': 'config gemini-policy',
  '.gemini/settings.json': 'config gemini-settings',
  '.github/agents/a.agent.md': 'agent copilot-cli',
  '.github/copilot-instructions.md': 'instructions copilot-cli',
  '.github/hooks/guard.json': 'config copilot-hooks',
  '.github/mcp.json': 'config mcp',
  '.github/instructions/ts.instructions.md': 'instructions copilot-cli',
  '.github/prompts/ship.prompt.md': 'command copilot-cli',
  '.mcp.json': 'config mcp',
  '.opencode/agent/a.md': 'agent opencode',
  '.opencode/agents/b.md': 'agent opencode',
  '.opencode/command/ship.md': 'command opencode',
  '.qwen/agents/a.md': 'agent qwen-code',
  '.qwen/settings.json': 'config qwen-settings',
  '.vscode/mcp.json': 'config mcp',
  'AGENTS.md': 'instructions any',
  'CLAUDE.md': 'instructions claude-code',
  'GEMINI.md': 'instructions gemini-cli',
  'QWEN.md': 'instructions qwen-code',
  'opencode.json': 'config opencode-config',
  'policy.yaml': 'policy',
  'web/.claude/settings.json': 'config claude-settings',
  'web/AGENTS.md': 'instructions any',
};

test('with no argument', () => {
  const files = Object.fromEntries(Object.keys(PLACES).map((path) => [path, '']));
  assert.equal(found(files), PLACES);
});

test('what a plugin brings, by its folders and by its manifest', () => {
  const brought = found({
    'one/.claude-plugin/plugin.json': '{ "name": "one" }',
    'one/agents/deep/a.md': '',
    'one/commands/ship.md': '',
    'one/hooks/hooks.json': '{}',
    'one/skills/deploy/SKILL.md': '',
    'one/README.md': '',
    'two/.claude-plugin/plugin.json': '{ "name": "two", "agents": ["./reviewer.md", "./more/"], "commands": "./orders" }',
    'two/reviewer.md': '',
    'two/more/b.md': '',
    'two/orders/ship.md': '',
    'two/other.md': '',
    '.claude-plugin/marketplace.json': '{}',
  });
  assert.equal(brought, {
    '.claude-plugin/marketplace.json': 'config claude-marketplace',
    'one/.claude-plugin/plugin.json': 'config claude-plugin',
    'one/agents/deep/a.md': 'agent claude-code',
    'one/commands/ship.md': 'command claude-code',
    'one/hooks/hooks.json': 'config claude-hooks',
    'one/skills/deploy/SKILL.md': 'skill claude-code',
    'two/.claude-plugin/plugin.json': 'config claude-plugin',
    'two/more/b.md': 'agent claude-code',
    'two/orders/ship.md': 'command claude-code',
    'two/reviewer.md': 'agent claude-code',
  });
});

test('an extension of Gemini CLI brings agents, commands and skills', () => {
  const brought = found({
    'ext/gemini-extension.json': '{ "name": "ext", "version": "1.0.0" }',
    'ext/agents/a.md': definition('max_turns: 25'),
    'ext/commands/ship.toml': 'prompt = "Ship it."',
    'ext/skills/deploy/SKILL.md': '',
  });
  assert.equal(brought, {
    'ext/agents/a.md': 'agent gemini-cli',
    'ext/commands/ship.toml': 'command gemini-cli',
    'ext/gemini-extension.json': 'config gemini-extension',
    'ext/skills/deploy/SKILL.md': 'skill gemini-cli',
  });
});

const OPENCODE = '---\ndescription: Reviews.\nmode: subagent\n---\n';

test('a collection that belongs to no runner is told by what is in it', () => {
  const files = {
    'agents/README.md': '# Agents\n',
    'agents/notes.md': '---\ntitle: Notes\n---\n',
    'agents/commands/review.md': definition(),
    'agents/design/references/colours.md': definition(),
    'agents/reviewer.md': definition('tools: Read'),
    'agents/writer.md': OPENCODE,
    '.kiro/agents/reviewer.md': definition('allowedTools: [read]'),
    'docs/reviewer.md': definition('tools: Read'),
    'kit/skills/deploy/SKILL.md': '---\nname: deploy\ndescription: Deploys.\n---\n',
    'kit/skills/deploy/references/hosts.md': definition(),
    'commands/ship.md': '---\ndescription: Ships.\nargument-hint: [version]\n---\n',
    'docs/commands/ship.md': '---\ntitle: ship\ndescription: How to ship.\n---\n',
  };
  const guessed = {
    'agents/commands/review.md': 'command any',
    'agents/reviewer.md': 'agent claude-code (guessed)',
    'agents/writer.md': 'agent opencode (guessed)',
    'commands/ship.md': 'command any',
    'kit/skills/deploy/SKILL.md': 'skill any',
  };
  assert.equal(found(files), guessed);
  assert.equal(
    found(files, (path) => path === 'docs/reviewer.md'),
    { ...guessed, 'docs/reviewer.md': 'agent claude-code (guessed)' },
  );
});

test('notes beside definitions are no agents, whatever the folder; a README with a definition in it is one', () => {
  const texts = {
    '.claude/agents/README.md': '# Agents\n',
    '.claude/agents/docs/style.md': 'How we write agents.\n',
    '.codex/agents/INDEX.md': '# Agents\n',
    '.github/agents/README.md': definition(),
  };
  const { findings, summary } = lintTexts(texts);
  assert.is(summary.files.agents, 1);
  assert.equal(
    findings.filter(({ severity }) => severity !== 'info'),
    [],
  );
});

const NAMED: readonly (readonly [path: string, text: string, kind: string | undefined])[] = [
  ['a.json', '{ "permissions": { "deny": [] } }', 'config claude-settings'],
  ['manifest.json', '{ "permissions": ["tabs"], "manifest_version": 3 }', undefined],
  ['deno.json', '{ "permissions": { "default": { "read": true } } }', undefined],
  ['a.json', '{ "mcpServers": {} }', 'config mcp'],
  ['a.json', '{ "name": "x" }', undefined],
  ['a.toml', 'name = "a"\ndeveloper_instructions = "b"\n', 'agent codex (guessed)'],
  ['a.agent.md', '---\ndescription: x\n---\n', 'agent copilot-cli (guessed)'],
  ['x/SKILL.md', '---\nname: x\ndescription: x\n---\n', 'skill any'],
  ['a.md', '---\ndescription: x\ntools:\n  bash: false\n---\n', 'agent opencode (guessed)'],
  ['a.md', '---\nname: x\ndescription: x\nallowed-tools: Read\n---\n', undefined],
  ['README.md', definition('tools: Read'), undefined],
  ['commands/a.md', definition(), 'command any'],
  ['.kiro/agents/a.md', definition(), undefined],
];
for (const [path, text, kind] of NAMED)
  test(`${path} given by name: ${kind ?? 'unknown'}`, () => {
    assert.equal(
      found({ [path]: text }, () => true),
      kind === undefined ? {} : { [path]: kind },
    );
  });

test.run();
