/** One policy file: which files are ours, positions inside rule texts, and what hostile texts come to. */
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { documentExtends, type ParsedPolicy, POLICY_KEYS, parsePolicy, presetDocument } from '../../src/policy/document.js';
import { verifyRuleExamples } from '../../src/policy/examples.js';
import type { PolicyLayerName } from '../../src/policy/layers.js';
import { nearestWord } from '../../src/policy/nearest.js';
import { FORMATS, type Format } from '../../src/policy/read/located.js';
import { schemaKeys } from './schema-keys.js';

function parse(text: string, format: Format = 'yaml', layer: PolicyLayerName = 'project'): ParsedPolicy {
  return parsePolicy(text, { file: `policy.${format}`, format, layer });
}

/** `code line:column` of every problem. */
function found({ problems }: ParsedPolicy): string[] {
  return problems.map(({ code, source }) => `${code} ${source.line}:${source.column}`);
}

const OURS: readonly [text: string, format: Format, foreign: boolean, why: string][] = [
  ['version: 1\nallow: []', 'yaml', false, 'version and a known key'],
  ['{"version":1,"preset":"safe"}', 'json', false, 'version and a known key'],
  ['version = 1\ndefault = "ask"', 'toml', false, 'version and a known key'],
  ['version: 2\nallow: []', 'yaml', false, 'a newer version is still ours'],
  ['versoin: 1\nallow: []', 'yaml', false, 'a slip of the pen in version'],
  ['version: 1\nallwo: []', 'yaml', false, 'a slip of the pen in the known key'],
  ['{"Version":"2012-10-17","Statement":[]}', 'json', true, 'a cloud policy'],
  ['allow: [MIT, ISC]', 'yaml', true, 'no version'],
  ['version: 1', 'yaml', true, 'no known key'],
  ['version: 1\nstatements: []', 'yaml', true, 'no known key'],
  ['- a\n- b', 'yaml', true, 'a list'],
  ['just text', 'yaml', true, 'a text'],
  ['', 'yaml', true, 'an empty file'],
  ['  \n', 'json', true, 'an empty file'],
  ['# only a comment', 'toml', true, 'an empty file'],
  [
    '{"version":1,"hooks":{"preToolUse":[]}}',
    'json',
    true,
    'the hooks of Copilot CLI and Cursor, which `policy install` writes to a policy.json',
  ],
  ['version: 1\nhooks: {}\ndeny: []\n', 'yaml', false, 'a slip beside a known key'],
];

for (const [text, format, foreign, why] of OURS) {
  test(`${foreign ? 'foreign' : 'ours'}: ${JSON.stringify(text)} (${why})`, () => {
    const result = parse(text, format);
    assert.is(result.foreign, foreign);
    if (foreign) {
      assert.is(result.document, null);
      assert.equal(result.problems, []);
    }
  });
}

for (const [text, code] of [
  ['', 'policy/wrong-type'],
  ['- a', 'policy/wrong-type'],
  ['allow: [Read]', 'policy/missing-key'],
] as const) {
  test(`at the user's and the managed path nothing is foreign: ${JSON.stringify(text)} is a mistake`, () => {
    for (const layer of ['user', 'managed', 'cli'] as const) {
      const result = parse(text, 'yaml', layer);
      assert.is(result.foreign, false);
      assert.equal(found(result), [`${code} 1:1`]);
    }
  });
}

test('version 2 is refused with a sentence that names both versions, and nothing else is said', () => {
  const result = parse('version: 2\nnews: true\nallow: 5');
  assert.is(result.problems[0]?.message, 'version 2 was written for a newer agent-policy; this one reads version 1.');
  assert.equal(found(result), ['policy/newer-version 1:10']);
});

const PLACES: readonly [text: string, format: Format, expected: string, why: string][] = [
  ['version: 1\nallow:\n  - Read(x\n', 'yaml', 'rule/missing-paren 3:11', 'plain: the end of the text'],
  ['version: 1\nallow:\n  - "Read(x"\n', 'yaml', 'rule/missing-paren 3:12', 'quoted: one more'],
  ["version: 1\nallow: ['Read(x']\n", 'yaml', 'rule/missing-paren 2:16', 'single quotes in a flow list'],
  ['version: 1\nallow:\n  - rule: Bash(git:push x)\n', 'yaml', 'rule/misplaced-colon 3:19', 'in a rule object'],
  ['version: 1\nallow:\n  - "Read(\\x41"\n', 'yaml', 'rule/missing-paren 3:5', 'escapes: the start of the value'],
  ['version: 1\nallow:\n  - >-\n    Read(x\n', 'yaml', 'rule/missing-paren 4:5', 'a block: its first character'],
  ['version: 1\r\nallow:\r\n  - Read(x)y\r\n', 'yaml', 'rule/trailing-text 3:12', 'CR LF'],
  ['version: 1\rallow:\r  - Read(x)y\r', 'yaml', 'rule/trailing-text 3:12', 'CR alone'],
  ['\uFEFFversion: 1\nallow: [Read(x)y]\n', 'yaml', 'rule/trailing-text 2:16', 'a byte order mark'],
  ['version: 1\nask: ["😀", "Read(x)y"]\n', 'yaml', 'rule/tool-name 2:8', 'a pair of surrogates'],
  ['{"version":1,"deny":["Read(x)y"]}', 'json', 'rule/trailing-text 1:30', 'JSON'],
  ['\uFEFF{"version":1,"deny":["Read(x)y"]}', 'json', 'rule/trailing-text 1:30', 'JSON with a byte order mark'],
  ['{"version":1,"deny":["\\u0052ead(x)y"]}', 'json', 'rule/trailing-text 1:22', 'JSON escapes'],
  ['version = 1\ndeny = ["Read(x)y"]\n', 'toml', 'rule/trailing-text 2:17', 'TOML'],
  ["version = 1\ndeny = ['Read(x)y']\n", 'toml', 'rule/trailing-text 2:17', 'TOML literal'],
  ['version = 1\ndeny = ["""Read(x)y"""]\n', 'toml', 'rule/trailing-text 2:19', 'TOML long text'],
  [
    'version = 1\n[[deny]]\nrule = "Read"\n[[deny]]\nrule = "Read(x)y"\n',
    'toml',
    'rule/trailing-text 5:16',
    'TOML list of tables',
  ],
  ['version = 1\nbudget.tokens = -1\n', 'toml', 'policy/bad-value 2:17', 'TOML dotted key'],
  ['version = 1\n[budget]\n"per\\u0041gent" = { a = 1, "b c" = "x" }\n', 'toml', 'policy/wrong-type 3:36', 'TOML quoted keys'],
  ['version = 1\n[budget.perAgent]\na.b = 1\n', 'toml', 'policy/wrong-type 3:1', 'TOML dotted key that makes a map'],
  [
    'version = 1\n[[custom_tools]]\nname = "a"\ntier = "safe"\n[custom_tools.review]\nby = "x"\ndate = 2026-01-31\nreason = ""\n',
    'toml',
    'policy/bad-value 8:10',
    'a table inside a list of tables',
  ],
  ['version: 1\nallow: &a [Read(x)y]\n', 'yaml', 'rule/trailing-text 2:19', 'an anchor'],
  ['version: 1\nallow: &a\n  - Read\nask: *a\ndeny: *b\n', 'yaml', 'file/syntax 5:8', 'an unknown alias'],
  [
    'version: 1\nbudget: &b {tokens: -1}\ntiers: *b\n',
    'yaml',
    'policy/unknown-key 2:13',
    'an alias puts keys where they do not belong',
  ],
  ['version: 1\npreset:\n', 'yaml', 'policy/wrong-type 2:1', 'an empty value stands where its key does'],
  ['version: 1\ncustom_tools:\n  - name: x\n', 'yaml', 'policy/missing-key 3:5', 'missing: the parent'],
  ['version: 1\nallow: {}\n', 'yaml', 'policy/wrong-type 2:8', 'a map for a list'],
  ['version: 1\ndeny:\n  - Bash(git: push)\n', 'yaml', 'policy/missing-key 3:5', 'an unquoted rule that YAML takes for a map'],
];

for (const [text, format, expected, why] of PLACES) {
  test(`place: ${expected} in ${JSON.stringify(text)} (${why})`, () => {
    assert.is(found(parse(text, format))[0], expected, JSON.stringify(parse(text, format).problems));
  });
}

test('an unquoted rule that YAML takes for a map: the sentence says to quote it', () => {
  const { problems } = parse('version: 1\ndeny:\n  - Bash(git: push)\n');
  assert.ok(problems.some(({ message }) => message.includes('a rule with ": " in it has to be quoted')));
});

test('a variable that can make programs run others is never harmless', () => {
  const names = 'PATH LD_PRELOAD DYLD_X BASH_ENV ENV NODE_OPTIONS IFS GIT_AUTHOR_NAME PYTHONPATH PYTHONSTARTUP GNUMAKEFLAGS'
    .split(' ')
    .concat(
      'LD_AUDIT GCONV_PATH PERL5DB PERL5LIB RUBYLIB RUBYOPT KUBE_EDITOR SYSTEMD_EDITOR PKG_CONFIG PKG_CONFIG_PATH LUA_PATH LUA_INIT GTK_MODULES QT_PLUGIN_PATH OPENSSL_CONF VIMINIT R_PROFILE_USER HGRCPATH PSQL_EDITOR MY_APP_OPTS ACLOCAL_PATH TCLLIBPATH EMACSLOADPATH PYTEST_PLUGINS'.split(
        ' ',
      ),
    );
  const result = parse(`version: 1\nharmlessVariables: [FOO, ${names.join(', ')}]\n`);
  assert.is(found(result).length, names.length);
  assert.match(found(result)[0] ?? '', /^policy\/executing-variable 2:26$/);
  assert.equal(
    found(
      parse(
        'version: 1\nharmlessVariables: [FOO, MY_TOKEN, DATABASE_URL, API_PATH, STAGE, TEST_SHARD, TF_VAR_name, LOG_FORMAT]\n',
      ),
    ),
    [],
  );
  assert.match(found(parse('version: 1\nharmlessVariables: [FOO=1]\n'))[0] ?? '', /^policy\//);
});

test('a rule pattern that cannot be compiled is a mistake at the pattern', () => {
  const result = parse('version: 1\ndeny:\n  - Read(../secrets/**)\n');
  assert.is(result.document, null);
  assert.match(found(result)[0] ?? '', /^rule\/path-\S+ 3:10$/);
});

test('a document carries its rules with place, reason, suggestion and examples', () => {
  const text =
    'version: 1\ndeny:\n  - rule: " Bash(rm -rf *) "\n    reason: r\n    suggest: s\n    match: [rm -rf a]\n    notMatch: [rm a]\n  - Read(x)\n';
  assert.equal(parse(text).document?.rules, [
    {
      effect: 'deny',
      tool: 'Bash',
      pattern: 'rm -rf *',
      text: 'Bash(rm -rf *)',
      layer: 'project',
      source: { file: 'policy.yaml', line: 3, column: 11 },
      reason: 'r',
      suggest: 's',
      match: ['rm -rf a'],
      notMatch: ['rm a'],
    },
    {
      effect: 'deny',
      tool: 'Read',
      pattern: 'x',
      text: 'Read(x)',
      layer: 'project',
      source: { file: 'policy.yaml', line: 8, column: 5 },
    },
  ]);
});

test('extends names the base and where it is named', () => {
  const { document } = parse('version: 1\nextends: base.yaml\n');
  assert.equal(document && documentExtends(document), {
    path: 'base.yaml',
    source: { file: 'policy.yaml', line: 2, column: 10 },
  });
});

test('the flag --preset is a document of the command line', () => {
  assert.equal(
    presetDocument('safe').settings.map(({ key, value }) => [key, value]),
    [['preset', 'safe']],
  );
});

test('the names that make a file ours are those of the schema', () => {
  assert.equal(
    [...POLICY_KEYS].sort(),
    schemaKeys()
      .filter((key) => key !== 'version' && key !== '$schema')
      .sort(),
  );
});

/** Hostile texts: always problems with a place, at once, and never anything of ours in the sentence. */
const HOSTILE: readonly [name: string, text: string, format: Format, expected: string][] = [
  [
    'a tower of aliases',
    `version: 1\na: &a [x]\n${[...'bcdefghijklm'].map((name, at) => `${name}: &${name} [*${'abcdefghijkl'[at]}, *${'abcdefghijkl'[at]}]`).join('\n')}\nallow: *m\n`,
    'yaml',
    'file/too-large',
  ],
  [
    'few aliases of something large',
    `version: 1\na: &a [${'x, '.repeat(9000)}]\nallow: [${'*a, '.repeat(15)}]\n`,
    'yaml',
    'file/too-large',
  ],
  ['an alias of itself', 'version: 1\nallow: &a [*a]\n', 'yaml', 'file/syntax 2:12'],
  ['a map that contains itself', 'version: 1\nbudget: &a\n  tokens: *a\n', 'yaml', 'file/syntax 3:11'],
  ['deep YAML', `version: 1\nallow: ${'['.repeat(200)}${']'.repeat(200)}\n`, 'yaml', 'file/too-deep'],
  ['very deep YAML', '['.repeat(100_000), 'yaml', 'file/too-deep'],
  ['deep block YAML', Array.from({ length: 200 }, (_, at) => `${' '.repeat(at)}a:`).join('\n'), 'yaml', 'file/too-deep'],
  ['deep JSON', `{"version":1,"allow":${'['.repeat(200)}${']'.repeat(200)}}`, 'json', 'file/too-deep 1:71'],
  ['very deep JSON', '['.repeat(500_000), 'json', 'file/too-deep 1:51'],
  ['deep TOML', `version = 1\nallow = ${'['.repeat(200)}${']'.repeat(200)}\n`, 'toml', 'file/too-deep'],
  ['deep TOML by dots', `version = 1\n${'a.'.repeat(5000)}a = 1\n`, 'toml', 'file/too-deep 2:99'],
  ['deep TOML by headers', `version = 1\n[${'a.'.repeat(5000)}a]\n`, 'toml', 'file/too-deep 2:100'],
  ['more than 1 MiB', `version: 1\nallow: []\n# ${'x'.repeat(1_048_576)}`, 'yaml', 'file/too-large 1:1'],
  ['more values than anyone writes, JSON', `{"version":1,"allow":[${'1,'.repeat(100_000)}1]}`, 'json', 'file/too-large'],
  ['more values than anyone writes, TOML', `version = 1\nallow = [${'1,'.repeat(100_000)}]`, 'toml', 'file/too-large'],
  ['more values than anyone writes, YAML', `version: 1\nallow: [${'1,'.repeat(100_000)}]`, 'yaml', 'file/too-large'],
  ['NUL in YAML', 'version: 1\nallow: ["a\0b"]\n', 'yaml', 'file/syntax'],
  ['NUL in JSON', '{"version":1,"allow":["a\0b"]}', 'json', 'file/syntax'],
  ['NUL in TOML', 'version = 1\nallow = ["a\0b"]\n', 'toml', 'file/syntax'],
  ['a tab for indentation', 'version: 1\nallow:\n\t- Read\n', 'yaml', 'file/syntax 3:1'],
  ['__proto__ in YAML', 'version: 1\nallow: []\n__proto__:\n  preset: all\n', 'yaml', 'policy/unknown-key 3:1'],
  ['__proto__ in JSON', '{"version":1,"allow":[],"__proto__":{"preset":"all"}}', 'json', 'policy/unknown-key 1:25'],
  ['__proto__ in TOML', 'version = 1\nallow = []\n[__proto__]\npreset = "all"\n', 'toml', 'policy/unknown-key 3:2'],
  ['__proto__ among agents', 'version: 1\nbudget: {perAgent: {__proto__: 5}}\n', 'yaml', 'policy/unknown-key 2:21'],
  ['__proto__ behind an escape', '{"version":1,"allow":[],"\\u005f_proto__":{}}', 'json', 'policy/unknown-key 1:25'],
  ['constructor', 'version: 1\nallow: []\nconstructor: {prototype: {}}\n', 'yaml', 'policy/unknown-key 3:1'],
  ['a merge key is an unknown key', 'version: 1\nallow: []\n<<: {preset: all}\n', 'yaml', 'policy/unknown-key 3:1'],
  ['a function by tag', 'version: 1\nallow: [!!js/function "function () {}"]\n', 'yaml', 'file/syntax'],
  ['an unknown tag', 'version: 1\nallow: !rules [Read]\n', 'yaml', 'file/syntax'],
  [
    'YAML 1.1 by directive',
    '%YAML 1.1\n---\nversion: 1\nsecurity: {disable_bypass_permissions: yes}\n',
    'yaml',
    'policy/wrong-type',
  ],
  ['a second document', 'version: 1\nallow: []\n---\nallow: [Bash]\n', 'yaml', 'file/syntax 3:1'],
  ['a second document after dots', 'version: 1\nallow: []\n...\n---\nallow: [Bash]\n', 'yaml', 'file/syntax 3:1'],
  ['a key that is a list', 'version: 1\nallow: []\n? [a]\n: b\n', 'yaml', 'file/syntax 3:3'],
  ['a key that is an alias', 'version: &v 1\nallow: []\n*v : b\n', 'yaml', 'file/syntax 3:1'],
  ['a key that YAML reads as a number', 'version: 1\nbudget: {perAgent: {0x10: 5}}\n', 'yaml', 'file/syntax 2:21'],
  ['a rule that starts with a star', 'version: 1\nallow:\n  - *\n', 'yaml', 'file/syntax'],
  ['a comment in JSON', '{"version":1, // x\n"allow":[]}', 'json', 'file/syntax 1:15'],
  ['a trailing comma in JSON', '{"version":1,"allow":[],}', 'json', 'file/syntax'],
  ['two JSON texts', '{"version":1,"allow":[]}{"preset":"all"}', 'json', 'file/syntax 1:25'],
  ['a number beyond all numbers', '{"version":1,"budget":{"tokens":1e999}}', 'json', 'policy/wrong-type 1:33'],
  ['not a number', 'version: 1\nbudget: {tokens: .nan}\n', 'yaml', 'policy/wrong-type 2:18'],
  ['a fraction', 'version = 1\nbudget.tokens = 1.5\n', 'toml', 'policy/wrong-type 2:17'],
  ['control characters in a key', '{"version":1,"allow":[],"a\\u001b[31m\\u202e":1}', 'json', 'policy/unknown-key 1:25'],
  ['a key in another script', 'version: 1\naIlow: []\nallow: []\n', 'yaml', 'policy/unknown-key 2:1'],
];

for (const [name, text, format, expected] of HOSTILE) {
  test(`hostile: ${name}`, () => {
    const result = parse(text, format);
    assert.is(result.document, null);
    assert.ok((found(result)[0] ?? '').startsWith(expected), JSON.stringify(result.problems.slice(0, 3)));
    assert.is(Object.getPrototypeOf(Object.prototype), null);
    assert.is(({} as { preset?: unknown }).preset, undefined);
    for (const { message, source } of result.problems) {
      assert.ok(message.length < 700, message);
      assert.not.match(message, /\n|[\u0000-\u001f\u202e]|node_modules|\bat .*:\d+:\d+|undefined/);
      assert.ok(source.line >= 1 && source.column >= 1);
    }
  });
}

test('at most 50 problems are told, in the order of the text', () => {
  const { problems } = parse(`version: 1\nallow: [${'5, '.repeat(1000)}]\n`);
  assert.is(problems.length, 50);
  assert.is(problems[0]?.source.column, 9);
});

/** Valid policies, one per format, to be spoilt. */
const VALID: Readonly<Record<Format, string>> = {
  yaml: 'version: 1\npreset: safe\nallow:\n  - Read(src/**)\n  - "Bash(npm run test *)"\ndeny:\n  - rule: Bash(rm -rf *)\n    match: [rm -rf build]\nbudget: { tokens: 200000, perAgent: { researcher: 50000 } }\n',
  json: '{"version":1,"preset":"safe","allow":["Read(src/**)","Bash(npm run test *)"],"deny":[{"rule":"Bash(rm -rf *)","match":["rm -rf build"]}],"budget":{"tokens":200000,"perAgent":{"researcher":50000}}}',
  toml: 'version = 1\npreset = "safe"\nallow = ["Read(src/**)", \'Bash(npm run test *)\']\n[[deny]]\nrule = "Bash(rm -rf *)"\nmatch = ["rm -rf build"]\n[budget]\ntokens = 200_000\nperAgent.researcher = 50000\n',
};

test('the same policy in three formats gives the same rules and settings', () => {
  const [yaml, ...others] = FORMATS.map((format) => parse(VALID[format], format).document);
  const shape = (document: typeof yaml) => [
    document?.rules.map(({ source, ...rule }) => rule),
    document?.settings.map(({ key, member, value }) => [key, member, value]),
  ];
  for (const other of others) assert.equal(shape(other), shape(yaml));
});

/** Every text gives a document, a foreign file, or problems; and each problem has a place inside the text. */
function holds(text: string, format: Format): void {
  const result = parse(text, format, 'user');
  assert.is(result.foreign, false);
  assert.is(result.document === null, result.problems.length > 0);
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  for (const { source, message } of result.problems) {
    assert.ok(message.length > 0 && message.length < 5000);
    const line = lines[source.line - 1];
    assert.ok(line !== undefined, `line ${source.line} of ${lines.length}: ${message}`);
    assert.ok(
      source.column >= 1 && source.column <= line.length + 2,
      `column ${source.column} of ${JSON.stringify(line)}: ${message}`,
    );
  }
}

for (const format of FORMATS) {
  test(`property: no text is too strange (${format})`, () => {
    const piece = fc.constantFrom(
      ...[
        'version: 1\n',
        'version = 1\n',
        '{"version":1',
        'allow',
        'deny',
        ': ',
        '= ',
        '[',
        ']',
        '{',
        '}',
        '"',
        "'",
        '\n',
        '\r',
        '\t',
        ' ',
        '- ',
        '#',
      ],
      ...[
        '&a ',
        '*a',
        '!!',
        '|',
        '>',
        '---\n',
        '...',
        '<<',
        '\\',
        '\u0000',
        '\uFEFF',
        '__proto__',
        '"""',
        "'''",
        '[[',
        ']]',
        '.',
        ',',
        '1',
        '2026-01-01',
      ],
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join('')),
    );
    fc.assert(
      fc.property(text, (source) => holds(source, format)),
      { numRuns: 400 },
    );
  });

  test(`property: a valid policy with a few characters changed (${format})`, () => {
    const edit = fc.tuple(fc.nat(VALID[format].length), fc.nat(6), fc.string({ unit: 'binary', maxLength: 3 }));
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 3 }), (edits) => {
        let text = VALID[format];
        for (const [at, removed, added] of edits) text = text.slice(0, at) + added + text.slice(at + removed);
        holds(text, format);
      }),
      { numRuns: 400 },
    );
  });
}

const WORDS: readonly [word: string, nearest: string | null][] = [
  ['allwo', 'allow'],
  ['Allow', 'allow'],
  ['al-low', 'allow'],
  ['alow', 'allow'],
  ['dney', 'deny'],
  ['den', 'deny'],
  ['xyz', null],
  ['a', null],
  ['', null],
  ['protected_branches', 'protectedBranches'],
  ['protectedBranch', 'protectedBranches'],
  ['permissions', null],
  ['a'.repeat(1000), null],
];

for (const [word, nearest] of WORDS) {
  test(`nearest: ${JSON.stringify(word.slice(0, 30))} is ${nearest}`, () => {
    assert.is(nearestWord(word, POLICY_KEYS), nearest);
  });
}

test('examples: a match that does not hold and a notMatch that does are problems at the rule', () => {
  const { document } = parse('version: 1\ndeny:\n  - rule: Bash(rm *)\n    match: [rm a, ls]\n    notMatch: [rm b, ls]\n');
  const problems = verifyRuleExamples(document?.rules ?? [], (rule, example) =>
    example.startsWith((rule.pattern ?? '').slice(0, 2)),
  );
  assert.equal(
    problems.map(({ code, message, source }) => [code, message, source.line]),
    [
      ['policy/example-not-matched', 'The rule "Bash(rm *)" has to match "ls", but does not; change the rule or the example.', 3],
      ['policy/example-matched', 'The rule "Bash(rm *)" must not match "rm b", but does; change the rule or the example.', 3],
    ],
  );
});

test.run();
