// Texts that were written to harm whoever reads them: nothing throws, nothing leaks, nothing changes.
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LINT_FORMATS, type LintFormat, rendered } from '../../src/cli/lint/formats.js';
import { validateFinding } from '../../src/generated/validators/finding.js';
import type { LintReport } from '../../src/lint/text/finding.js';
import { findingsAsGithub } from '../../src/report/findings/github.js';
import { findingsAsSarif } from '../../src/report/findings/sarif.js';
import { AGENT_CODE, CLAUDE, CODEX, definition, GEMINI, lintTexts, OPENCODE, POLICY, policyText, ROLE, YAML } from './linted.js';

const test = suite('hostile texts');

/** Every format of a report, together. */
function printed(texts: Readonly<Record<string, string>>): string {
  const report = lintTexts(texts);
  for (const finding of report.findings) assert.ok(validateFinding(finding), JSON.stringify([finding, validateFinding.errors]));
  return LINT_FORMATS.map((format) => inFormat(report, format)).join('');
}

/** With the texts of those rules only that found something: ours are in every report, and harm nobody. */
function inFormat(report: LintReport, format: LintFormat): string {
  const found = new Set(report.findings.map(({ ruleId }) => ruleId));
  const rules = report.rules.filter(({ id }) => found.has(id));
  return rendered({ ...report, rules }, format, { text: { color: false, width: 100 }, version: '1.0.0', seconds: 0 });
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
const SETTINGS = '.claude/settings.json';
const SKILL = '.claude/skills/x/SKILL.md';
/** Files that took long, or much memory: one located error says that they were not judged, or not wholly. */
const tooMuch: readonly (readonly [say: string, path: string, text: string, message: RegExp])[] = [
  [
    '30,000 permission rules',
    SETTINGS,
    JSON.stringify({ permissions: { allow: distinct(30_000).map((name) => `Bash(${name} *)`), deny: ['Read(./.env)'] } }),
    /^Of the 30001 permission rules of this file only the first 5000 of each list were judged\.$/,
  ],
  ['60,000 times the same rule', SETTINGS, JSON.stringify({ permissions: { allow: Array(60_000).fill('Bash(ls *)') } }), /60000/],
  ['300,000 empty maps', SETTINGS, `{"a":[${Array(300_000).fill('{}').join(',')}]}`, /more than 100000 values/],
  ['400,000 numbers without commas', SETTINGS, `{"a":[${'1 '.repeat(400_000)}]}`, /more than 100000 values/],
  [
    '400,000 numbers behind colons',
    SETTINGS,
    `{"a":[${': '.repeat(300_000)}${'1 '.repeat(200_000)}]}`,
    /more than 100000 values/,
  ],
  ['values behind a quote in a comment', SETTINGS, `// "\n{"a":[${'1,'.repeat(400_000)}1]}`, /more than 100000 values/],
  ['brackets behind a quote in a comment', SETTINGS, `// "\n${'['.repeat(100_000)}`, /Nesting deeper than 50 levels/],
  ['100,000 equal keys', SETTINGS, `{${Array(100_001).fill('"k":1').join(',')}}`, /more than 100000 values/],
  ['100,000 values of TOML', '.codex/config.toml', `a = [${'1,'.repeat(100_001)}]`, /100000/],
];
for (const [say, path, text, message] of tooMuch)
  test(`${say} in ${path}: an error says what was not judged`, () => {
    const { findings } = lintTexts({ [path]: text, [CLAUDE]: definition('tool: Read') });
    const found = findings.filter(({ ruleId }) => ruleId === 'schema/too-large');
    assert.equal(
      found.map(({ severity, location }) => [severity, location.file]),
      [['error', path]],
    );
    assert.match(found[0]?.message ?? '', message);
    assert.ok(
      findings.some(({ ruleId }) => ruleId === 'tools/misspelled-key'),
      'other files are judged all the same',
    );
  });

test('a long comment, and many keys, are no reason to leave settings unread', () => {
  const text = `// ${'word '.repeat(150_000)}\n${JSON.stringify({ env: Object.fromEntries(distinct(3_000).map((name) => [name, 'x'])) })}`;
  assert.not.ok(lintTexts({ [SETTINGS]: text }).findings.some(({ ruleId }) => ruleId === 'schema/too-large'));
});

/** Skills whose commands cost time to find or to judge. */
const skills: readonly (readonly [say: string, text: string])[] = [
  ['100,000 marks on one line', `${'!`curl '.repeat(100_000)}\``],
  ['200 downloads that are none', `!\`${'curl '.repeat(390)}x\`\n`.repeat(200)],
  ['400,000 empty commands', '!`'.repeat(400_000)],
  ['substitutions in substitutions', `!\`echo ${'$('.repeat(400)}${')'.repeat(400)}\`\n`.repeat(100)],
];
for (const [say, body] of skills)
  test(`${say} in a skill: an answer in time, and no allowance`, () => {
    const started = process.cpuUsage();
    const { findings } = lintTexts({ [SKILL]: `---\nname: x\ndescription: y\n---\n${body}` });
    const { user, system } = process.cpuUsage(started);
    assert.ok(user + system < 3_000_000, `${(user + system) / 1000} ms`);
    assert.is(
      findings.some(({ ruleId }) => ruleId === 'skills/runs-command'),
      !say.includes('empty'),
    );
  });

for (const [say, text] of texts)
  for (const path of [CLAUDE, CODEX, YAML, AGENT_CODE, POLICY, SKILL, OPENCODE, GEMINI, ROLE, '.github/agents/x.agent.md'])
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

/** What a format may print beside texts that it escaped: nothing that a terminal, a browser, a renderer or a CI system obeys. */
const INJECTED: Readonly<Record<LintFormat, RegExp>> = {
  text: /^\s*::/m,
  compact: /^\s*::/m,
  json: /^\s*::/m,
  jsonl: /^\s*::/m,
  sarif: /^\s*::/m,
  github: /^\s*::(?!(?:error|warning|notice) file=[^:,]+,line=\d+,)|^::[^:]*::.*[\r\n]::(?!error|warning|notice)/m,
  gitlab: /^\s*::/m,
  junit: /<(?!\/?(?:testsuites?|testcase|failure|system-out)\b|\?xml)|&(?!(?:amp|lt|gt|quot|#39);)|[\ufffe\uffff]/,
  markdown: /<|!\[|\]\(|^\s*::/m,
  html: /<(?:script|img|a|iframe|svg|link|object|embed|form|b\s)\b|<[^>]*\son\w+\s*=|&(?!(?:amp|lt|gt|quot|#39);)/i,
};

test('no name and no line of a linted file is more than text in any format', () => {
  const piece = fc.constantFrom(
    '::error file=a::b',
    '\n::stop-commands::x',
    '\r::warning::x',
    '%0A::error::x',
    '\u001b[2J',
    '\u001b]8;;https://example.org\u0007',
    '\u009b31m',
    '\u202e',
    '\u2028',
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '"><b onclick=x(1)>',
    "' onload='x(1)",
    ']]>',
    '<!--',
    '-->',
    '&amp;',
    '![x](https://example.org/x.png)',
    '[x](javascript:x)',
    '`',
    '```',
    '|',
    '\\|',
    '\\',
    '@everyone',
    '\ufffe',
    '\ud800',
    ' ',
    'tool',
    'é',
  );
  const hostile = fc.array(piece, { minLength: 1, maxLength: 8 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(hostile, hostile, hostile, (name, line, folder) => {
      const path = `${folder.replaceAll('/', '')}/.claude/agents/${name.replaceAll('/', '')}.md`;
      const report = lintTexts({
        [path]: definition(`tool: ${line.replaceAll(/[\r\n\u2028]/g, '')}`).replace('reviewer', JSON.stringify(line)),
        [`${path.slice(0, -3)}2.md`]: `${line}\n${definition(`tools: [${JSON.stringify(line)}, Grpe]`)}`,
        [POLICY]: policyText(`allow: [${JSON.stringify(`Bash(${line})`)}, ${JSON.stringify(line)}]`),
      });
      assert.ok(report.findings.length > 1);
      for (const format of LINT_FORMATS) {
        const output = inFormat(report, format);
        assert.not.match(output, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202e]|\p{Cs}/u, format);
        const outside = format === 'markdown' ? withoutCode(output) : output;
        assert.not.match(outside, INJECTED[format], `${format}: ${outside}`);
        if (format === 'json' || format === 'sarif' || format === 'gitlab') JSON.parse(output);
      }
    }),
    { numRuns: 300 },
  );
});

/** Markdown without escaped characters and code spans, as CommonMark finds them: a run of backticks up to the next run as long. */
function withoutCode(markdown: string): string {
  return markdown
    .split('\n')
    .map((line) => line.replace(/\\.|(`+)(?!`)(?:.*?[^`])?\1(?!`)/g, ''))
    .join('\n');
}

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
