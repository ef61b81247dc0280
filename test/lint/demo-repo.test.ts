// The demo repository has mistakes on purpose; lint finds these and no other error.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findFiles } from '../../src/lint/files/read-files.js';
import { lint } from '../../src/runner/lint/linter.js';

const test = suite('lint of the demo repository');
const report = lint(findFiles('test/fixtures/demo-repo'));
const said = report.findings.map(
  ({ severity, ruleId, location: at }) => `${at.file}:${at.line}:${at.column} ${severity} ${ruleId}`,
);

const expected = `
.agent/agents/bug-triage.md:6:67 warning rules/unlisted-tool
.agent/agents/bug-triage.md:6:86 warning rules/unlisted-tool
.agent/agents/bug-triage.md:7:9 info rules/unlisted-tool
.agent/agents/bug-triage.md:7:29 info rules/unlisted-tool
.agent/agents/search-only.md:7:9 info rules/unlisted-tool
.agent/agents/search-only.md:8:8 warning rules/unlisted-tool
.claude/agents/docs-writer.md:4:1 error tools/misspelled-key
.claude/agents/release-manager.md:2:7 info naming/kebab-case
.claude/agents/test-runner.md:2:7 warning discovery/duplicate-name
.claude/agents/test-runner.md:2:7 info naming/filename-mismatch
.claude/agents/test-runner.md:4:14 info tools/read-only-claim
.codex/agents/api-designer.md:2:1 info codex/ignored-format
.codex/agents/dependency-bot.yaml:1:1 info codex/ignored-format
.codex/agents/dependency-bot.yaml:17:9 error permissions/interpreter-wildcard
.codex/agents/migration-planner.md:2:1 info codex/ignored-format
.codex/agents/migration-planner.md:2:1 warning tools/absent
.codex/agents/perf-reviewer.yaml:1:1 info codex/ignored-format
policy.yaml:6:9 info preset/unsandboxed
policy.yaml:25:5 info rules/redundant
policy.yaml:26:5 info rules/redundant
policy.yaml:27:5 info rules/redundant
policy.yaml:37:5 warning rules/shadowed
policy.yaml:41:5 warning rules/shadowed
policy.yaml:79:5 info rules/redundant
policy.yaml:119:5 info rules/redundant
`
  .trim()
  .split('\n');

for (const line of expected) test(line, () => assert.ok(said.includes(line), said.join('\n')));

test('and nothing else', () => assert.equal(said, expected));

test('all of its files were read', () => assert.equal(report.summary.files, { agents: 12, policies: 1, configs: 2, texts: 0 }));

test.run();
