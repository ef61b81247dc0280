/** Adding a rule to a policy's text: where it goes in each style of list, and that nothing else changes. */
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parsePolicy } from '../../src/policy/document.js';
import { addRule, newPolicyText, removeRule } from '../../src/policy/edit/rules.js';
import { FORMATS, type Format } from '../../src/policy/read/located.js';
import type { Effect } from '../../src/rule/pattern/permission-rule.js';

const NEW = 'Bash(git push *)';

function edit(text: string, format: Format, effect: Effect = 'allow', rule = NEW, reason?: string) {
  const target = { file: `policy.${format}`, format, layer: 'project' } as const;
  return addRule(text, { effect, text: rule, ...(reason !== undefined && { reason }) }, target);
}

const ROWS: readonly (readonly [why: string, format: Format, before: string, after: string])[] = [
  [
    'a block list goes on with its own indentation',
    'yaml',
    'version: 1\nallow:\n    - Read\ndeny: [Bash]\n',
    `version: 1\nallow:\n    - Read\n    - ${NEW}\ndeny: [Bash]\n`,
  ],
  [
    'a dash in the first column, two spaces behind it',
    'yaml',
    'version: 1\nallow:\n-  Read\n',
    `version: 1\nallow:\n-  Read\n-  ${NEW}\n`,
  ],
  ['no line end at the end of the file', 'yaml', 'version: 1\nallow:\n  - Read', `version: 1\nallow:\n  - Read\n  - ${NEW}\n`],
  [
    'Windows line ends stay',
    'yaml',
    'version: 1\r\nallow:\r\n  - Read\r\n',
    `version: 1\r\nallow:\r\n  - Read\r\n  - ${NEW}\r\n`,
  ],
  [
    'comments behind and below the last entry stay where they are',
    'yaml',
    'version: 1\nallow:\n  - Read # all of it\n  # next: deny\n\n# the end\ndeny: [Bash]\n',
    `version: 1\nallow:\n  - Read # all of it\n  - ${NEW}\n  # next: deny\n\n# the end\ndeny: [Bash]\n`,
  ],
  [
    'behind an entry that is a map with comments and examples',
    'yaml',
    'version: 1\nallow:\n  - rule: Bash(ls *)\n    # why\n    match:\n      - ls -l\n\n    notMatch: [lsof]\npreset: safe\n',
    `version: 1\nallow:\n  - rule: Bash(ls *)\n    # why\n    match:\n      - ls -l\n\n    notMatch: [lsof]\n  - ${NEW}\npreset: safe\n`,
  ],
  [
    'behind a block scalar that looks like a comment',
    'yaml',
    'version: 1\nallow:\n  - rule: Bash(ls *)\n    reason: |\n      one\n      # two\npreset: safe\n',
    `version: 1\nallow:\n  - rule: Bash(ls *)\n    reason: |\n      one\n      # two\n  - ${NEW}\npreset: safe\n`,
  ],
  [
    'a flow list on one line',
    'yaml',
    'version: 1\nallow: [Read, Grep]   # few\n',
    `version: 1\nallow: [Read, Grep, ${NEW}]   # few\n`,
  ],
  ['an empty flow list', 'yaml', 'version: 1\nallow: []\n', `version: 1\nallow: [${NEW}]\n`],
  [
    'a flow list over lines, with a comma at its end and comments',
    'yaml',
    'version: 1\nallow: [\n    Read, # ]\n    "Bash(echo [)", # last\n  ]\n',
    `version: 1\nallow: [\n    Read, # ]\n    "Bash(echo [)", # last\n    ${NEW},\n  ]\n`,
  ],
  [
    'a flow list over lines, without one',
    'yaml',
    "version: 1\nallow: [\n  Read,\n  'Bash(echo it''s, [x)' # last\n  ]\n",
    `version: 1\nallow: [\n  Read,\n  'Bash(echo it''s, [x)', # last\n  ${NEW}\n  ]\n`,
  ],
  [
    'a bracket on the line of the last entry',
    'yaml',
    'version: 1\nallow: [Read,\n  Grep]\n',
    `version: 1\nallow: [Read,\n  Grep, ${NEW}]\n`,
  ],
  [
    'an apostrophe inside a plain word is none',
    'yaml',
    "version: 1\nallow: [Bash(echo it's), Read]\n",
    `version: 1\nallow: [Bash(echo it's), Read, ${NEW}]\n`,
  ],
  [
    'a key that is not there yet',
    'yaml',
    '# ours\nversion: 1\npreset: safe',
    `# ours\nversion: 1\npreset: safe\nallow:\n  - ${NEW}\n`,
  ],
  ['a whole policy in braces', 'yaml', '{version: 1, preset: safe}\n', `{version: 1, preset: safe, allow: [${NEW}]}\n`],
  [
    'a byte order mark stays first',
    'yaml',
    '\uFEFFversion: 1\nallow:\n  - Read\n',
    `\uFEFFversion: 1\nallow:\n  - Read\n  - ${NEW}\n`,
  ],
  [
    'a JSON list over lines',
    'json',
    '{\n\t"version": 1,\n\t"allow": [\n\t\t"Read"\n\t],\n\t"preset": "safe"\n}',
    `{\n\t"version": 1,\n\t"allow": [\n\t\t"Read",\n\t\t"${NEW}"\n\t],\n\t"preset": "safe"\n}`,
  ],
  ['a JSON list on one line', 'json', '{"version":1,"allow":["Read"]}', `{"version":1,"allow":["Read", "${NEW}"]}`],
  [
    'an empty JSON list over lines',
    'json',
    '{\n  "version": 1,\n  "allow": [\n  ]\n}\n',
    `{\n  "version": 1,\n  "allow": [\n    "${NEW}"\n  ]\n}\n`,
  ],
  [
    'a JSON policy without the key',
    'json',
    '{\n  "version": 1,\n  "preset": "safe"\n}\n',
    `{\n  "version": 1,\n  "preset": "safe",\n  "allow": ["${NEW}"]\n}\n`,
  ],
  [
    'a TOML list',
    'toml',
    'version = 1\nallow = ["Read"] # few\n\n[tiers]\nsafe = "allow"\n',
    `version = 1\nallow = ["Read", "${NEW}"] # few\n\n[tiers]\nsafe = "allow"\n`,
  ],
  [
    'a TOML list over lines with literal texts',
    'toml',
    "version = 1\nallow = [\n  'Read', # ]\n  '''Bash(x ]')'''\n]\n",
    `version = 1\nallow = [\n  'Read', # ]\n  '''Bash(x ]')''',\n  "${NEW}"\n]\n`,
  ],
  [
    'a TOML key goes before the first table and its comment',
    'toml',
    'version = 1\n\n# levels\n[tiers]\nsafe = "allow"\n',
    `version = 1\n\nallow = ["${NEW}"]\n\n# levels\n[tiers]\nsafe = "allow"\n`,
  ],
  ['a TOML key without tables', 'toml', 'version = 1\npreset = "safe"', `version = 1\npreset = "safe"\nallow = ["${NEW}"]\n`],
  [
    'a TOML list of tables',
    'toml',
    'version = 1\n[[allow]]\nrule = "Read"\n\n[tiers]\nsafe = "allow"\n',
    `version = 1\n[[allow]]\nrule = "Read"\n\n[tiers]\nsafe = "allow"\n\n[[allow]]\nrule = "${NEW}"\n`,
  ],
];

for (const [why, format, before, after] of ROWS)
  test(`${format}: ${why}`, () => {
    const edited = edit(before, format);
    assert.ok(edited.ok, edited.ok ? '' : JSON.stringify(edited.problems));
    assert.is(edited.ok && edited.text, after);
  });

const REFUSED: readonly (readonly [why: string, format: Format, text: string])[] = [
  ['a file with a mistake', 'yaml', 'version: 1\nalow: []\n'],
  ["another tool's file", 'json', '{"Statement": []}'],
  ['an alias whose list is also another one', 'yaml', 'version: 1\ndeny: &a\n  - Bash(rm *)\nallow: *a\n'],
  ['a list that another key repeats', 'yaml', 'version: 1\nallow: &a\n  - Bash(ls)\nask: *a\n'],
  ['a document with an end mark', 'yaml', 'version: 1\npreset: safe\n...\n'],
];
for (const [why, format, text] of REFUSED) test(`${format}: nothing is changed: ${why}`, () => assert.not(edit(text, format).ok));

const TEXTS = [
  '*',
  'Bash(a: b)',
  'Bash(a #b)',
  "Bash(echo 'x')",
  'Bash(echo "x")',
  'Bash(a,b)',
  'Bash([x])',
  'Bash(x\\y)',
  'Read(~/x)',
  'mcp__a__b',
  'No',
  'Bash({a})',
  'Bash(é 😀)',
];
for (const format of FORMATS)
  for (const rule of TEXTS)
    for (const reason of [undefined, 'No: "why" # not', "it's"])
      test(`${format}: ${rule}${reason === undefined ? '' : ` because ${reason}`} is read back as it was given`, () => {
        for (const text of [
          newPolicyText({ effect: 'deny', text: 'Bash(x)' }, format),
          newPolicyText({ effect: 'allow', text: 'Read' }, format),
        ]) {
          const edited = edit(text, format, 'deny', rule, reason);
          assert.ok(edited.ok, JSON.stringify(edited));
          const last = edited.ok ? edited.document.rules.at(-1) : undefined;
          assert.is(last?.text, rule);
          assert.is(last?.reason, reason);
        }
      });

const piece = fc.constantFrom('Read', 'Bash(git status)', '"Bash(a, [b)"', "'Bash(it''s)'", '{ rule: Bash(x), reason: y }');
const flowList = fc
  .tuple(
    fc.array(piece, { maxLength: 4 }),
    fc.constantFrom(', ', ',\n   ', ' , # note ]\n  '),
    fc.constantFrom('', ' ', '\n', ' # end ]\n'),
    fc.boolean(),
  )
  .map(([items, separator, end, comma]) => `[${items.join(separator)}${comma && items.length > 0 ? ',' : ''}${end}]`);
const blockList = fc
  .tuple(
    fc.array(piece, { minLength: 1, maxLength: 4 }),
    fc.constantFrom('', '  ', '     '),
    fc.constantFrom('', ' # note', '\n', '\n      # deep'),
  )
  .map(([items, indent, tail]) => items.map((item) => `\n${indent}- ${item}${tail}`).join(''));
test('whatever the list looks like, its rules stay and the new one is the last', () => {
  fc.assert(
    fc.property(fc.oneof(flowList, blockList), fc.boolean(), fc.constantFrom('\n', '\r\n'), (list, behind, lineEnd) => {
      const text =
        `${behind ? 'preset: safe\n' : ''}version: 1\nallow: ${list}\n${behind ? '' : 'deny:\n  - Bash(rm *)\n'}`.replaceAll(
          '\n',
          lineEnd,
        );
      const before = parsePolicy(text, { file: 'policy.yaml', format: 'yaml', layer: 'project' }).document;
      fc.pre(before !== null);
      const edited = edit(text, 'yaml');
      assert.ok(edited.ok, text);
      if (!edited.ok) return;
      assert.is(edited.document.rules.length, (before?.rules.length ?? 0) + 1);
      const kept = edited.text.split('');
      let at = 0;
      for (const character of kept) if (character === text[at]) at++;
      assert.is(at, text.length, 'text is only inserted');
    }),
  );
});

/** Taking `Bash(git push *)` out of a text: what is left, or null where nothing was changed. */
const REMOVED: readonly (readonly [why: string, format: Format, before: string, after: string | null])[] = [
  ['one of several', 'yaml', `version: 1\nallow:\n  - Read\n  - ${NEW}\n  - Grep\n`, 'version: 1\nallow:\n  - Read\n  - Grep\n'],
  [
    'with the comment behind it; those above and below stay',
    'yaml',
    `version: 1\nallow:\n  # reads\n  - Read\n  # pushes\n  - '${NEW}' # mine\n  # end\npreset: safe\n`,
    'version: 1\nallow:\n  # reads\n  - Read\n  # pushes\n  # end\npreset: safe\n',
  ],
  [
    'a map with a reason over lines',
    'yaml',
    `version: 1\nallow:\n  - rule: ${NEW}\n    # why\n    reason: |\n      one\n      two\n  - Read\n`,
    'version: 1\nallow:\n  - Read\n',
  ],
  [
    'the only one',
    'yaml',
    `version: 1\nallow:\n  # a\n  - ${NEW}\ndeny: [Bash]\n`,
    'version: 1\nallow: []\n  # a\ndeny: [Bash]\n',
  ],
  ['the only one of the file', 'yaml', `version: 1\nallow:\n  - ${NEW}\n`, 'version: 1\nallow: []\n'],
  ['Windows line ends', 'yaml', `version: 1\r\nallow:\r\n  - ${NEW}\r\n  - Read\r\n`, 'version: 1\r\nallow:\r\n  - Read\r\n'],
  ['the first of a flow list', 'yaml', `version: 1\nallow: [${NEW}, Read] # few\n`, 'version: 1\nallow: [Read] # few\n'],
  ['the last of a flow list', 'yaml', `version: 1\nallow: [Read, ${NEW}] # few\n`, 'version: 1\nallow: [Read] # few\n'],
  ['the only one of a flow list', 'yaml', `version: 1\nallow: [ ${NEW} ]\n`, 'version: 1\nallow: [  ]\n'],
  [
    'a flow list over lines',
    'yaml',
    `version: 1\nallow: [\n    Read, # ]\n    "${NEW}" # mine\n  ]\n`,
    'version: 1\nallow: [\n    Read # ]\n  ]\n',
  ],
  ['JSON, in the middle', 'json', `{"version":1,"allow":["Read","${NEW}","Grep"]}`, '{"version":1,"allow":["Read","Grep"]}'],
  [
    'JSON over lines, the last',
    'json',
    `{\n  "version": 1,\n  "allow": [\n    "Read",\n    { "rule": "${NEW}", "reason": "a, b]" }\n  ]\n}\n`,
    '{\n  "version": 1,\n  "allow": [\n    "Read"\n  ]\n}\n',
  ],
  ['TOML', 'toml', `version = 1\nallow = ["Read", '${NEW}', "Grep"] # x\n`, 'version = 1\nallow = ["Read", "Grep"] # x\n'],
  [
    'a table of TOML',
    'toml',
    `version = 1\n[[allow]]\nrule = "Read"\n[[allow]]\nrule = "${NEW}"\nreason = "x"\n\n# the log\n[log]\ninput = "none"\n`,
    'version = 1\n[[allow]]\nrule = "Read"\n\n# the log\n[log]\ninput = "none"\n',
  ],
  ['a rule that is not there', 'yaml', 'version: 1\nallow: [Read]\n', null],
  ['a rule of another effect', 'yaml', `version: 1\ndeny: ["${NEW}"]\n`, null],
  ['a file with a mistake', 'yaml', `version: 1\nallow: ["${NEW}"]\nfrob: 1\n`, null],
];

for (const [why, format, before, after] of REMOVED)
  test(`removes from ${format}: ${why}`, () => {
    const target = { file: `policy.${format}`, format, layer: 'project' } as const;
    const edited = removeRule(before, { effect: 'allow', text: NEW }, target);
    assert.is(edited.ok ? edited.text : null, after, edited.ok ? '' : edited.problems[0]?.message);
  });

test('what was added and is removed again leaves the text as it was', () => {
  for (const [, format, before] of ROWS) {
    const added = edit(before, format);
    if (!added.ok) continue;
    const target = { file: `policy.${format}`, format, layer: 'project' } as const;
    const edited = removeRule(added.text, { effect: 'allow', text: NEW }, target);
    assert.ok(edited.ok, before);
    if (edited.ok) assert.equal(rulesIn(edited.text, format), rulesIn(before, format), before);
  }
});

function rulesIn(text: string, format: Format): readonly string[] {
  const { document } = parsePolicy(text, { file: `policy.${format}`, format, layer: 'project' });
  return (document?.rules ?? []).map((rule) => `${rule.effect} ${rule.text}`);
}

test.run();
