// The formats of lint: text, JSON, SARIF and workflow commands.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { validateFinding } from '../../src/generated/validators/finding.js';
import { findingsAsGithub } from '../../src/report/findings/github.js';
import { findingsAsJson } from '../../src/report/findings/json.js';
import { findingsAsSarif } from '../../src/report/findings/sarif.js';
import { findingsAsText, ruleAsText, summaryLine } from '../../src/report/findings/text.js';
import { CLAUDE, definition, lintTexts, POLICY, policyText } from '../lint/linted.js';

const test = suite('findings');
const SHADOWED = lintTexts({ [POLICY]: policyText('allow:', '  - Bash(npx tsc)', 'ask: [Bash(npx *)]') });
const PLAIN = { color: false, width: 80 };

test('text: the line, carets, the other place, what to do, and the count', () => {
  assert.is(
    findingsAsText(SHADOWED, PLAIN),
    `warning[rules/shadowed]: "Bash(npx tsc)" allows nothing: the ask rule "Bash(npx *)" on line 4 covers all of it.
  --> policy.yaml:3:5
  |
3 |   - Bash(npx tsc)
  |     ^^^^^^^^^^^^^
  = see: policy.yaml:4:7 this ask rule
  = help: Remove the rule, or make the stricter one narrower.
  = more: policy lint --explain rules/shadowed

1 warning in 0 agents and 1 policy
`,
  );
});

test('text: colour only where it is wanted', () => {
  assert.match(findingsAsText(SHADOWED, { color: true, width: 80 }), /\u001b\[/);
});

test('text: a long line is cut around the place, a tab and an escape are shown', () => {
  const line = `tools: ["${'x'.repeat(3000)}", "\tGrpe", "${'y'.repeat(3000)}"]`;
  const text = findingsAsText(lintTexts({ [CLAUDE]: definition(line) }), PLAIN);
  assert.ok(
    text.split('\n').every((one) => !one.includes('|') || one.length <= 90),
    text,
  );
  assert.match(text, /did you mean Grep\?/);
});

test('text: nothing found, and nothing looked at, are different', () => {
  const none = lintTexts({});
  assert.match(findingsAsText(none, PLAIN), /^Nothing was checked: there is no agent definition and no policy file here\.\n$/);
  const clean = lintTexts({ [POLICY]: policyText('deny: [Bash(rm *)]') });
  assert.match(findingsAsText(clean, PLAIN), /^No findings of \d+ rules in 0 agents and 1 policy\n$/);
  assert.is(
    summaryLine({ files: { agents: 1, policies: 2 }, errors: 1, warnings: 2, infos: 0, suppressed: 3 }, 9),
    '1 error, 2 warnings in 1 agent and 2 policies (3 accepted)',
  );
});

test('text: no line of it can be a workflow command', () => {
  const texts = {
    [CLAUDE]: `::error::a\n${definition('tools: "::error::x"').replace('reviewer', '"\\n::error::b"')}`,
    [POLICY]: '::error::c',
  };
  for (const line of findingsAsText(lintTexts(texts), PLAIN).split('\n')) assert.not.match(line, /^\s*::/);
});

test('a rule explained', () => {
  const rule = SHADOWED.rules.find(({ id }) => id === 'rules/shadowed');
  assert.ok(rule);
  assert.match(ruleAsText(rule), /^rules\/shadowed \(warning\)\n[\s\S]*What to do: /);
});

test('JSON: one line, version 1, each finding as the schema says', () => {
  const json = findingsAsJson(SHADOWED);
  assert.is(json.indexOf('\n'), json.length - 1);
  const { version, findings, summary, ...rest } = JSON.parse(json);
  assert.equal([version, rest], [1, {}]);
  assert.equal(findings, SHADOWED.findings);
  assert.equal(summary, SHADOWED.summary);
  for (const finding of findings) assert.ok(validateFinding(finding));
});

test('SARIF: what code scanning requires', () => {
  const { $schema, version, runs } = JSON.parse(findingsAsSarif(SHADOWED, '1.2.3'));
  assert.is($schema, 'https://json.schemastore.org/sarif-2.1.0.json');
  assert.is(version, '2.1.0');
  const [{ tool, results, automationDetails, columnKind }] = runs;
  assert.is(tool.driver.name, 'agent-policy');
  assert.is(tool.driver.semanticVersion, '1.2.3');
  assert.is(automationDetails.id, 'policy-lint/');
  assert.is(columnKind, 'utf16CodeUnits');
  for (const { id, name, shortDescription, fullDescription, help, defaultConfiguration, properties } of tool.driver.rules) {
    assert.match(name, /^[A-Z][A-Za-z0-9]+$/);
    for (const { text } of [shortDescription, fullDescription, help]) assert.ok(text.length > 0 && text.length <= 1024, id);
    assert.ok(['error', 'warning', 'note'].includes(defaultConfiguration.level));
    assert.ok(properties.tags.length <= 20);
  }
  const [result] = results;
  assert.is(tool.driver.rules[result.ruleIndex].id, result.ruleId);
  assert.is(result.level, 'warning');
  assert.equal(result.locations, [
    {
      physicalLocation: {
        artifactLocation: { uri: 'policy.yaml' },
        region: { startLine: 3, startColumn: 5, endLine: 3, endColumn: 18 },
      },
    },
  ]);
  assert.is(result.relatedLocations[0].physicalLocation.region.startLine, 4);
});

test('SARIF: a fingerprint stays when lines above change, and tells equal lines apart', () => {
  const printsOf = (...lines: readonly string[]): string[] =>
    JSON.parse(findingsAsSarif(lintTexts({ [POLICY]: policyText(...lines) }), '1')).runs[0].results.map(
      ({ ruleId, partialFingerprints }: { ruleId: string; partialFingerprints: Record<string, string> }) =>
        `${ruleId} ${partialFingerprints.primaryLocationLineHash}`,
    );
  const before = printsOf('allow:', '  - Bash', '  - Bash');
  assert.is(new Set(before).size, before.length);
  assert.equal(printsOf('# a comment', '', 'allow:', '  - Bash', '  - Bash'), before);
  assert.match(before[0] ?? '', /^\S+ [0-9a-f]{16}:1$/);
});

test('workflow commands: one a line, then the count', () => {
  assert.is(
    findingsAsGithub(SHADOWED),
    `::warning file=policy.yaml,line=3,col=5,endLine=3,endColumn=18,title=rules/shadowed::"Bash(npx tsc)" allows nothing: the ask rule "Bash(npx *)" on line 4 covers all of it. Remove the rule, or make the stricter one narrower.\n1 warning in 0 agents and 1 policy\n`,
  );
});

test('workflow commands: percent signs and line breaks of a file change no command', () => {
  const report = lintTexts({ [CLAUDE]: definition('tools: ["a%0A::error::b\\n::error::c"]') });
  const lines = findingsAsGithub(report).trimEnd().split('\n');
  assert.is(lines.length, report.findings.length + 1);
  assert.ok(lines.slice(0, -1).every((line) => /^::(?:error|warning|notice) file=/.test(line)));
  assert.match(lines.join('\n'), /%250A/);
});

test.run();
