// Texts that were written to harm whoever reads them: nothing throws, nothing leaks, nothing changes.
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { validateFinding } from '../../src/generated/validators/finding.js';
import { findingsAsGithub } from '../../src/report/findings/github.js';
import { findingsAsJson } from '../../src/report/findings/json.js';
import { findingsAsSarif } from '../../src/report/findings/sarif.js';
import { findingsAsText } from '../../src/report/findings/text.js';
import { AGENT_CODE, CLAUDE, CODEX, definition, lintTexts, POLICY, policyText, YAML } from './linted.js';

const test = suite('hostile texts');

/** Every format of a report, together. */
function printed(texts: Readonly<Record<string, string>>): string {
  const report = lintTexts(texts);
  for (const finding of report.findings) assert.ok(validateFinding(finding), JSON.stringify([finding, validateFinding.errors]));
  return [
    findingsAsText(report, { color: false, width: 100 }),
    findingsAsJson(report),
    findingsAsSarif(report, '1.0.0'),
    findingsAsGithub(report),
  ].join('');
}

const bomb = [
  'a: &a [x, x]',
  ...Array.from({ length: 25 }, (_, index) => `k${index}: &k${index} [*${index === 0 ? 'a' : `k${index - 1}`}, *a]`),
];
const distinct = (count: number) => Array.from({ length: count }, (_, index) => `name${index}`);
const texts: readonly (readonly [say: string, text: string])[] = [
  ['__proto__ as a key', definition('__proto__: {tools: Bash}')],
  ['constructor and toString as keys', definition('constructor: x', 'toString: y', 'hasOwnProperty: z')],
  ['__proto__ as a tool', definition('tools: [__proto__, constructor, toString]')],
  ['an alias bomb', definition(...bomb)],
  ['30,000 brackets', definition(`tools: ${'['.repeat(30_000)}`)],
  ['30,000 commas', definition(`tools: ${','.repeat(30_000)}Bash`)],
  ['30,000 parentheses', definition(`tools: ${'('.repeat(30_000)}`)],
  ['terminal escapes', definition('tools: "\\e[2J\\e]8;;x\\a"', 'model: "\u009b2J"').replace('reviewer', '"\\e[31mred"')],
  [
    'a workflow command',
    definition('"::error file=a::b": x', 'tools: "::error::x, \\n::set-output name=a::b"').replace(
      'reviewer',
      '"::error::x\\n::stop-commands::t"',
    ),
  ],
  ['lone surrogates', definition('tools: ["\ud800", "a\udc00"]')],
  ['every line separator', definition().replaceAll('\n', '\u2028')],
  ['carriage returns only', definition('tool: Read').replaceAll('\n', '\r')],
  ['a text of NUL', '\0'.repeat(1000)],
  ['stars', policyText(`allow: ["Bash(${'*a'.repeat(1000)})", "${'*'.repeat(2000)}"]`)],
  ['spaces', policyText(`allow: ["Bash(${' '.repeat(4000)}:*)", "Bash(a${' *'.repeat(900)})"]`)],
  ['10,000 tools in a text', definition(`tools: ${distinct(10_000).join(',')}`)],
  ['5,000 tools in a list', definition(`tools: [${distinct(5_000).join(',')}]`)],
  ['3,000 fields', definition(...distinct(3_000).map((name) => `${name}: x`))],
  ['3,000 rules about tools that are none', policyText('deny:', ...distinct(3_000).map((name) => `  - ${name}(x *)`))],
  [
    '3,000 rules on one line',
    policyText(
      `deny: [${distinct(3_000)
        .map((name) => `Bash(${name} --yolo)`)
        .join(',')}]`,
    ),
  ],
  ['3,000 settings of lint', policyText('lint:', '  rules:', ...distinct(3_000).map((name) => `    ${name}: off`))],
  ['3,000 comments', definition(...distinct(3_000).map((name) => `# policy-disable-next-line ${name}`))],
  ['equal signs', `${definition()}${'TOKEN='.repeat(3_000)}\n${'a://b:'.repeat(3_000)}\n${'eyJ'.repeat(9_000)}\n`],
];
for (const [say, text] of texts)
  for (const path of [CLAUDE, CODEX, YAML, AGENT_CODE, POLICY])
    test(`${say} in ${path}`, () => {
      const output = printed({ [path]: text });
      assert.not.match(output, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202e]/, 'no control character is printed');
      for (const line of output.split('\n'))
        if (line.trim().startsWith('::'))
          assert.match(line, /^::(?:error|warning|notice) file=[^:,]+,line=\d+,/, 'no command of the file');
      assert.is(Object.keys(Object.prototype).length, 0);
      assert.is(Reflect.get({}, 'tools'), undefined);
    });

test('file names are escaped everywhere, and encoded where they are addresses', () => {
  const path = '.claude/agents/a,b::c %\u001b[31m#?.md';
  const report = lintTexts({ [path]: 'text' });
  assert.is(report.findings.length, 1);
  const github = findingsAsGithub(report).split('\n')[0] ?? '';
  assert.match(
    github,
    /^::warning file=\.claude\/agents\/a%2Cb%3A%3Ac %25\\x1b\[31m#\?\.md,line=1,col=1,endLine=1,endColumn=5,title=schema\/no-front-matter::/,
  );
  const { uri } = JSON.parse(findingsAsSarif(report, '1.0.0')).runs[0].results[0].locations[0].physicalLocation.artifactLocation;
  assert.is(uri, '.claude/agents/a%2Cb%3A%3Ac%20%25%1B%5B31m%23%3F.md');
});

test('a credential stands in no output, whatever else is found on its line', () => {
  const secret = `ghp_${'Ab12'.repeat(9)}`;
  const output = printed({
    [POLICY]: policyText(
      'allow:',
      `  - Bash(GITHUB_TOKEN=${secret} python *)`,
      `  - Bahs(${secret})`,
      `deny: ["Bash(GITHUB_TOKEN=${secret} python *)"]`,
    ),
    [CLAUDE]: `${definition(`tools: [${secret}]`)}${secret}\n`,
  });
  assert.not.match(output, new RegExp(secret.slice(4, 16)));
  assert.match(output, /secrets\/in-rule/);
  assert.match(output, /secrets\/literal/);
});

test('any text is linted without an exception, with places inside of it', () => {
  const word = fc.constantFrom(
    '---\n',
    'name: ',
    'tools: ',
    '[',
    ']',
    '{',
    '}',
    '"',
    "'",
    '- ',
    ': ',
    '\n',
    '\r',
    '\t',
    '  ',
    '#',
    '&a',
    '*a',
    '!x',
    'Bash(',
    ')',
    '*',
    ',',
    'é',
    '\u{1f600}',
    '\ud800',
    'allow:',
    'version: 1\n',
    '<<: ',
    '|',
    '>',
    '%',
    '\\',
  );
  const text = fc.array(fc.oneof(word, fc.string({ maxLength: 6 })), { maxLength: 60 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, fc.constantFrom(CLAUDE, CODEX, YAML, AGENT_CODE, POLICY, 'policy.json', 'policy.toml'), (content, path) => {
      const { findings, lineOf } = lintTexts({ [path]: content });
      for (const { location: at } of findings) {
        assert.ok(lineOf(path, at.line) !== null, `line ${at.line} exists`);
        assert.ok(at.column <= (lineOf(path, at.line) ?? '').length + 1);
        assert.ok(at.endLine > at.line || at.endColumn > at.column, 'a span is not empty');
      }
    }),
    { numRuns: 400 },
  );
});

test.run();
