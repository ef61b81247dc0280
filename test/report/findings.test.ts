// The formats of lint: text, JSON, SARIF and workflow commands.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { validateFinding } from '../../src/generated/validators/finding.js';
import { findingsAsCompact } from '../../src/report/findings/compact.js';
import { findingsAsHtml, findingsAsMarkdown } from '../../src/report/findings/document.js';
import { findingsAsGithub } from '../../src/report/findings/github.js';
import { findingsAsGitlab } from '../../src/report/findings/gitlab.js';
import { findingsAsJson, findingsAsJsonLines } from '../../src/report/findings/json.js';
import { findingsAsJunit } from '../../src/report/findings/junit.js';
import { findingsAsSarif } from '../../src/report/findings/sarif.js';
import { summaryLine } from '../../src/report/findings/summary.js';
import { findingsAsText, ruleAsText } from '../../src/report/findings/text.js';
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
4 | ask: [Bash(npx *)]
  |       ----------- this ask rule
  = help: Remove the rule, or make the stricter one narrower.
  = more: policy lint --explain rules/shadowed

1 warning in 1 file
`,
  );
});

test('SARIF: a name with brackets makes no link', () => {
  const text = '{"mcpServers":{"[click](https://evil.example)":{"command":"sh","args":["-c","a"]}}}';
  const [{ results }] = JSON.parse(findingsAsSarif(lintTexts({ '.mcp.json': text }), '0.0.0')).runs;
  const messages: string[] = results.map(({ message }: { readonly message: { readonly text: string } }) => message.text);
  assert.ok(
    messages.some((one) => one.includes('\\[click\\](')),
    messages.join('\n'),
  );
  assert.not.ok(messages.some((one) => /(?<!\\)[[\]]/.test(one)));
});

test('text: colour only where it is wanted', () => {
  assert.match(findingsAsText(SHADOWED, { color: true, width: 80 }), /\u001b\[/);
});

test('text: a long line is cut around the place, a tab and an escape are shown', () => {
  const line = `tools: [${'"Read", '.repeat(400)}"\tGrpe"] # ${'y'.repeat(3000)}`;
  const text = findingsAsText(lintTexts({ [CLAUDE]: definition(line) }), PLAIN);
  assert.ok(
    text.split('\n').every((one) => !one.includes('|') || one.length <= 90),
    text,
  );
  assert.match(text, /Grep\?/);
});

test('text: nothing found, and nothing looked at, are different', () => {
  const none = lintTexts({});
  assert.match(findingsAsText(none, PLAIN), /^Nothing was checked: lint knows no file here\.\n$/);
  const clean = lintTexts({ [POLICY]: policyText('deny: [Bash(rm *)]') });
  assert.match(findingsAsText(clean, PLAIN), /^No findings of \d+ rules in 1 policy\n$/);
});

const SUMMARY = {
  files: { agents: 1, policies: 2, configs: 0, texts: 4 },
  ...{ errors: 1, warnings: 2, infos: 0, withFindings: 2 },
  fixable: { safe: 1, unsafe: 2 },
  ...{ suppressed: 3, baselined: 4, hidden: 5 },
};
const NONE = { fixable: { safe: 0, unsafe: 0 }, suppressed: 0, baselined: 0, hidden: 0 };
const lastLines: readonly (readonly [changed: Partial<typeof SUMMARY>, seconds: number | null, line: string])[] = [
  [
    {},
    null,
    '1 error, 2 warnings in 2 of 7 files (1 fixable with --fix, 2 with --fix=unsafe; 3 suppressed, 4 in the baseline, 5 hidden by --persona)',
  ],
  [NONE, 1.26, '1 error, 2 warnings in 2 of 7 files · 1.3 s'],
  [{ ...NONE, fixable: { safe: 0, unsafe: 1 } }, null, '1 error, 2 warnings in 2 of 7 files (1 fixable with --fix=unsafe)'],
  [{ ...NONE, suppressed: 1 }, null, '1 error, 2 warnings in 2 of 7 files (1 suppressed)'],
  [{ ...NONE, files: { agents: 1, policies: 0, configs: 0, texts: 0 }, withFindings: 1 }, null, '1 error, 2 warnings in 1 file'],
  [{ ...NONE, errors: 0, warnings: 0 }, 0.04, 'No findings of 9 rules in 1 agent, 2 policies and 4 texts for the model · 0.0 s'],
];
for (const [changed, seconds, line] of lastLines)
  test(`the last line: ${line}`, () => assert.is(summaryLine({ ...SUMMARY, ...changed }, 9, seconds), line));

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
    assert.is(properties.tags.includes('security'), Object.hasOwn(properties, 'security-severity'), id);
    assert.ok(help.markdown.length > help.text.length);
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
  assert.equal(result.relatedLocations[0].physicalLocation.region, { startLine: 4, startColumn: 7, endLine: 4, endColumn: 18 });
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
    `::warning file=policy.yaml,line=3,col=5,endLine=3,endColumn=18,title=rules/shadowed::"Bash(npx tsc)" allows nothing: the ask rule "Bash(npx *)" on line 4 covers all of it. Remove the rule, or make the stricter one narrower.\n1 warning in 1 file\n`,
  );
});

test('workflow commands: percent signs and line breaks of a file change no command', () => {
  const report = lintTexts({ [CLAUDE]: definition('tools: [Read, "a%0A::error::b\\n::error::c"]') });
  const lines = findingsAsGithub(report).trimEnd().split('\n');
  assert.is(lines.length, report.findings.length + 1);
  assert.ok(lines.slice(0, -1).every((line) => /^::(?:error|warning|notice) file=/.test(line)));
  assert.match(lines.join('\n'), /%250A/);
});

test('text: places in other files have frames of their own, a rule explains itself once', () => {
  const other = '.claude/agents/other.md';
  const text = findingsAsText(lintTexts({ [CLAUDE]: definition('tools: Read'), [other]: definition('tools: Read') }), PLAIN);
  assert.match(
    text,
    / {2}--> \.claude\/agents\/other\.md:2:7\n {2}\|\n2 \| name: reviewer\n {2}\| {7}\^{8}\n {2}--> \.claude\/agents\/reviewer\.md:2:7\n {2}\|\n2 \| name: reviewer\n {2}\| {7}-{8} the other definition of this name\n/,
  );
  const twice = findingsAsText(lintTexts({ [CLAUDE]: definition('tools: Read, Grpe, Gerp') }), PLAIN);
  assert.is(twice.match(/--explain tools\/unknown-tool/g)?.length, 1);
});

test('text: carets stand under wide characters, and a line that is marked twice stands there once', () => {
  const text = findingsAsText(lintTexts({ [CLAUDE]: definition('tools: [Read, 漢字👩, Grpe]') }), PLAIN);
  assert.match(text, /^4 \| tools: \[Read, 漢字👩, Grpe\]\n {2}\| {15}\^{6}\n {2}\| {23}-{4} and here\n {2}= help/m);
});

test('compact: one line each', () => {
  assert.is(
    findingsAsCompact(SHADOWED),
    'policy.yaml:3:5: warning[rules/shadowed] "Bash(npx tsc)" allows nothing: the ask rule "Bash(npx *)" on line 4 covers all of it. Remove the rule, or make the stricter one narrower.\n1 warning in 1 file\n',
  );
});

test('JSON lines: a finding a line, then the summary', () => {
  const lines = findingsAsJsonLines(SHADOWED)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.equal(lines, [...SHADOWED.findings, { version: 1, summary: SHADOWED.summary }]);
});

test('GitLab: what a Code Quality report has to have', () => {
  const report = lintTexts({ [POLICY]: policyText('allow:', '  - Bash', '  - Bash') });
  const issues: readonly Record<string, unknown>[] = JSON.parse(findingsAsGitlab(report));
  assert.is(issues.length, report.findings.length);
  assert.is(new Set(issues.map(({ fingerprint }) => fingerprint)).size, issues.length, 'fingerprints are unique');
  const [issue] = JSON.parse(findingsAsGitlab(SHADOWED));
  assert.match(issue.fingerprint, /^[0-9a-f]{16}:1$/);
  assert.equal(
    { ...issue, description: '', fingerprint: '' },
    {
      description: '',
      check_name: 'rules/shadowed',
      fingerprint: '',
      severity: 'minor',
      location: { path: 'policy.yaml', lines: { begin: 3, end: 3 } },
    },
  );
});

test('JUnit: a suite a file, warnings fail, notes pass, no finding is one test that passes', () => {
  const xml = findingsAsJunit(SHADOWED);
  assert.match(
    xml,
    /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites name="policy lint" tests="1" failures="1" errors="0">/,
  );
  assert.match(xml, /<testcase name="rules\/shadowed 3:5" classname="policy\.yaml" file="policy\.yaml" line="3">/);
  assert.match(xml, /<failure type="warning" message="&quot;Bash\(npx tsc\)&quot; allows nothing: /);
  const note = findingsAsJunit(lintTexts({ [CLAUDE]: definition('tools: Read, LS') }));
  assert.match(note, /tests="1" failures="0"[\s\S]*<system-out>/);
  assert.match(
    findingsAsJunit(lintTexts({ [POLICY]: policyText('deny: [Bash(rm *)]') })),
    /tests="1" failures="0"[\s\S]*<testcase name="No findings/,
  );
});

test('Markdown: a table a file', () => {
  assert.is(
    findingsAsMarkdown(SHADOWED),
    `## policy lint

1 warning in 1 file

### \`policy.yaml\`

|  | place | rule | what is wrong, and what to do |
| --- | --- | --- | --- |
| ⚠️ warning | 3:5 | \`rules/shadowed\` | "Bash(npx tsc)" allows nothing: the ask rule "Bash(npx \\*)" on line 4 covers all of it. Remove the rule, or make the stricter one narrower. |
`,
  );
});

test('HTML: one page that loads nothing', () => {
  const page = findingsAsHtml(SHADOWED);
  assert.match(page, /^<!doctype html>/);
  assert.match(page, /default-src 'none'; style-src 'unsafe-inline'/);
  assert.not.match(page, /<script|<img|<link|https?:|url\(|@import|\son\w+=/);
  assert.match(page, /<span class="primary"> {4}\^{13}<\/span>/);
  assert.match(page, /<span class="related"> {6}-{11} this ask rule<\/span>/);
});

test('what is said alike in four files is shown once, with the other places', () => {
  const texts = Object.fromEntries(
    ['a', 'b', 'c', 'd'].map((name) => [
      `.claude/agents/${name}.md`,
      `---\nname: ${name}\ndescription: Does the part ${name}.\ntool: Read\n---\nDo it.\n`,
    ]),
  );
  const text = findingsAsText(lintTexts(texts), PLAIN);
  assert.is(text.split('misspelled-key]:').length, 2);
  assert.match(text, /= the same at 3 more places: \.claude\/agents\/b\.md:4:1, .*c\.md:4:1, .*d\.md:4:1\n/);
  assert.match(text, /4 errors in 4 of 4 files/);
  const three = Object.fromEntries(Object.entries(texts).slice(1));
  assert.is(findingsAsText(lintTexts(three), PLAIN).split('misspelled-key]:').length, 4);
});

test.run();
