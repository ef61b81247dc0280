// Collections of definitions as people write them: what runners take as it is gets no error, and a warning only where one is due.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findFiles } from '../../src/lint/files/read-files.js';
import { lint } from '../../src/runner/lint/linter.js';

const test = suite('lint of collections');

/** Everything that is said of each collection. */
const EXPECTED: Readonly<Record<string, { readonly agents: number; readonly said: readonly string[] }>> = {
  // Comma-separated tools, full model ids, `tools` beside `disallowedTools`, examples in descriptions, hooks without matcher.
  marketplace: {
    agents: 4,
    said: [
      'plugins/review/agents/code-reviewer.md:2 info tools/inherits-all',
      'plugins/review/agents/code-reviewer.md:3 info schema/literal-backslash-n',
      'plugins/review/agents/code-reviewer.md:3 info schema/yaml-needs-quotes',
      'plugins/review/agents/silent-failure-hunter.md:4 info tools/legacy-name',
      'plugins/review/agents/type-checker.md:13 info schema/unknown-field',
    ],
  },
  // Names with emoji, tools of VS Code, lists of models, servers, a list that closes at the indentation of its key.
  copilot: {
    agents: 8,
    said: [
      '.github/agents/4.1-Beast.agent.md:4 info tools/inherits-all',
      '.github/agents/arch.agent.md:2 info tools/inherits-all',
      '.github/hooks/policy.json:1 info copilot/hooks-need-trust',
    ],
  },
  // Permission maps of OpenCode, lists of Gemini CLI, roles of Codex, and what Qwen Code, Cursor and agent-code read.
  'many-runners': {
    agents: 15,
    said: [
      '.codex/agents/reviewer.toml:5 info codex/role-sandbox',
      '.gemini/agents/remote.md:3 info naming/filename-mismatch',
      '.gemini/agents/remote.md:3 info tools/inherits-all',
      '.opencode/agents/docs.md:4 info opencode/tools-deprecated',
      // `git log* > FILE` writes (verified with OpenCode 1.18.33), although edit is denied.
      '.opencode/agents/reviewer.md:11 warning opencode/redirection',
    ],
  },
};

for (const [name, { agents, said }] of Object.entries(EXPECTED))
  test(`${name}: ${agents} agents, no error`, () => {
    const { findings, summary } = lint(findFiles(`test/fixtures/collections/${name}`));
    const found = findings.map(({ severity, ruleId, location: { file, line } }) => `${file}:${line} ${severity} ${ruleId}`);
    assert.equal(found.sort(), [...said].sort());
    assert.is(summary.errors, 0);
    assert.is(summary.files.agents, agents, 'every agent was read, and nothing else as one');
  });

test.run();
