/** Which agent `policy agents suggest` names first, over the demo repository: what a person who reads the descriptions would choose. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Dialect } from '../../src/agent/agent.js';
import { parseAgent } from '../../src/agent/dialects/parse.js';
import { buildInventory } from '../../src/agent/inventory.js';
import { suggestAgents } from '../../src/agent/suggest.js';

const DEMO = 'test/fixtures/demo-repo';
const FOLDERS: readonly (readonly [folder: string, dialect: Dialect, ending: string])[] = [
  ['.agent/agents', 'agent-code', '.md'],
  ['.claude/agents', 'claude-code', '.md'],
  ['.codex/agents', 'codex-markdown', '.md'],
  ['.codex/agents', 'codex-yaml', '.yaml'],
];
const definitions = FOLDERS.flatMap(([folder, dialect, ending]) =>
  readdirSync(join(DEMO, folder))
    .filter((name) => name.endsWith(ending))
    .map((name) => {
      const text = readFileSync(join(DEMO, folder, name), 'utf8');
      return parseAgent(text, { file: `${folder}/${name}`, dialect, scope: 'project' });
    }),
);
const agents = [...buildInventory(definitions).agents].map(([name, { description }]) => ({ name, description }));

/**
 * [the task, the agent that a person chose]. The words were made with the first ten; the second ten had been written down before and
 * were looked at once, at the end; the others were written afterwards.
 */
const TASKS: readonly (readonly [task: string, agent: string])[] = [
  ['look over my pull request', 'code-reviewer'],
  ['write documentation for the API', 'docs-writer'],
  ['fix the flaky unit tests', 'test-writer'],
  ['which commit broke the login?', 'bug-triage'],
  ['upgrade lodash to the latest version', 'dependency-bot'],
  ['add a column to the orders table without downtime', 'migration-planner'],
  ['why is the search page so slow?', 'perf-reviewer'],
  ['cut version 2.3', 'release-manager'],
  ['which indexes can we drop?', 'db-janitor'],
  ['design an endpoint for password reset', 'api-designer'],
  ['is this diff safe to merge?', 'code-reviewer'],
  ['the README no longer matches the code', 'docs-writer'],
  ['we have no coverage for the billing module', 'test-writer'],
  ['since when do exports fail, and who changed it?', 'bug-triage'],
  ['bump outdated npm packages', 'dependency-bot'],
  ['rename a database column safely, with a rollback', 'migration-planner'],
  ['the report takes ten seconds to load', 'perf-reviewer'],
  ['prepare the changelog and tag for Friday', 'release-manager'],
  ['find tables nobody reads any more', 'db-janitor'],
  ['where is the session cookie set?', 'search-only'],
  ['give me a second opinion on these changes before I merge', 'code-reviewer'],
  ['the guide for new contributors is out of date', 'docs-writer'],
  ['make sure the parser is tested', 'test-writer'],
  ['checkout worked last week, what happened?', 'bug-triage'],
  ['are any of our dependencies too old?', 'dependency-bot'],
  ['requests to /orders time out under load', 'perf-reviewer'],
  ['is the index on created_at still needed?', 'db-janitor'],
  ['what should the URL for bulk imports look like?', 'api-designer'],
];

for (const [task, expected] of TASKS)
  test(`${task} → ${expected}`, () => {
    assert.is(suggestAgents(task, agents)[0]?.name, expected, JSON.stringify(suggestAgents(task, agents), null, 1));
  });

test('no agent for a task that is none of theirs', () => {
  assert.equal(suggestAgents('translate poems', agents), []);
});

test('what an agent says that it does not do is not what it is for', () => {
  const [first] = suggestAgents('push the branch', [
    { name: 'notes', description: 'Writes the release notes. Never pushes a branch.' },
    { name: 'courier', description: 'Pushes a branch.' },
  ]);
  assert.is(first?.name, 'courier');
});

test.run();
