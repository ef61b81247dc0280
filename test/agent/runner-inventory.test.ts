/** Agents of one name that several runners have: each stands for itself. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parseAgent } from '../../src/agent/dialects/parse.js';
import { type AgentFormat, originOfFormat } from '../../src/agent/format.js';
import { inventoryByRunner } from '../../src/agent/runner-inventory.js';

const MARKDOWN = '---\nname: reviewer\ndescription: d\n---\nbody\n';
const BROKEN = '---\nname: reviewer\ndescription: [\n---\nbody\n';

function found(format: AgentFormat, file: string, scope: 'project' | 'user' = 'project', text = MARKDOWN) {
  return parseAgent(text, { file, scope, ...originOfFormat(format) });
}

interface Row {
  readonly why: string;
  readonly files: readonly ReturnType<typeof found>[];
  /** `runner file status`, in the order of runners. */
  readonly agents: readonly string[];
  /** `runner: loser (reason)` */
  readonly conflicts: readonly string[];
}

const rows: readonly Row[] = [
  {
    why: 'an OpenCode agent is not hidden by one of Copilot or Claude Code (R148)',
    files: [
      found('copilot-cli', '.github/agents/reviewer.agent.md'),
      found('opencode', '.opencode/agent/reviewer.md'),
      found('claude-code', '.claude/agents/reviewer.md'),
    ],
    agents: [
      'claude-code .claude/agents/reviewer.md active',
      'copilot-cli .github/agents/reviewer.agent.md active',
      'opencode .opencode/agent/reviewer.md active',
    ],
    conflicts: [],
  },
  {
    why: "a user's agent of one runner is hidden by the project's of the same runner only",
    files: [
      found('gemini-cli', '/home/.gemini/agents/reviewer.md', 'user'),
      found('qwen-code', '/home/.qwen/agents/reviewer.md', 'user'),
      found('qwen-code', '.qwen/agents/reviewer.md'),
    ],
    agents: ['gemini-cli /home/.gemini/agents/reviewer.md active', 'qwen-code .qwen/agents/reviewer.md active'],
    conflicts: ['qwen-code: /home/.qwen/agents/reviewer.md (project override)'],
  },
  {
    why: 'an invalid file of the project hides the valid one of the user, in each runner by itself (R157)',
    files: [
      found('cursor', '.cursor/agents/reviewer.md', 'project', BROKEN),
      found('cursor', '/home/.cursor/agents/reviewer.md', 'user'),
      found('claude-code', '/home/.claude/agents/reviewer.md', 'user'),
    ],
    agents: ['claude-code /home/.claude/agents/reviewer.md active', 'cursor .cursor/agents/reviewer.md invalid'],
    conflicts: ['cursor: /home/.cursor/agents/reviewer.md (invalid definition)'],
  },
  {
    why: 'two folders of OpenCode, one name (R151)',
    files: [found('opencode', '.opencode/agents/reviewer.md'), found('opencode', '.opencode/agent/reviewer.md')],
    agents: ['opencode .opencode/agent/reviewer.md active'],
    conflicts: ['opencode: .opencode/agents/reviewer.md (duplicate definition)'],
  },
  {
    why: "Codex's Markdown and YAML are formats of one runner",
    files: [
      found('codex-markdown', '.codex/agents/reviewer.md'),
      found('codex-yaml', '.codex/agents/reviewer.yaml', 'project', 'name: reviewer\ngoal: g\ntools: {mcp: [x]}\n'),
    ],
    agents: ['codex .codex/agents/reviewer.md active'],
    conflicts: ['codex: .codex/agents/reviewer.yaml (cross-format)'],
  },
];

for (const { why, files, agents, conflicts } of rows)
  test(why, () => {
    for (const order of [files, [...files].reverse()]) {
      const inventory = inventoryByRunner(order);
      assert.equal(
        (inventory.agents.get('reviewer') ?? []).map(
          ({ runner, definition, status }) => `${runner} ${definition.source.file} ${status}`,
        ),
        [...agents],
      );
      assert.equal(
        inventory.conflicts.map(({ runner, loser, reason }) => `${runner}: ${loser} (${reason})`),
        [...conflicts],
      );
    }
  });

test('the default model of a configuration is that of its own runner only (R154)', () => {
  const inventory = inventoryByRunner([found('codex-markdown', 'a.md'), found('claude-code', 'b.md')], {
    defaultModels: { codex: 'gpt' },
    sessionModel: 'of-the-session',
  });
  assert.equal(
    inventory.agents.get('reviewer')?.map(({ runner, effectiveModel }) => [runner, effectiveModel]),
    [
      ['claude-code', 'of-the-session'],
      ['codex', 'gpt'],
    ],
  );
});

test('`model: inherit` is the model of the session', () => {
  const text = MARKDOWN.replace('description', 'model: inherit\ndescription');
  const inventory = inventoryByRunner([found('claude-code', 'a.md', 'project', text)], { sessionModel: 's' });
  assert.is(inventory.agents.get('reviewer')?.[0]?.effectiveModel, 's');
});

test.run();
