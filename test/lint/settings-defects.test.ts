// Every defect of Claude Code's settings that was measured (2.1.197 and 2.1.332), and which rule names it; and what the client keeps.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { applyFixes } from '../../src/lint/text/fix.js';
import { lintTexts } from './linted.js';

const test = suite('defects of settings');
const FILE = '.claude/settings.json';
const DENY = '"permissions": {"deny": ["Read(./.env)", "Bash(rm *)"]}';
const HOOK = '{"matcher": "Bash", "hooks": [{"type": "command", "command": "a", "onFailure": "block"}]}';

/** Settings with two deny rules and something more. */
const withRules = (more: string) => `{${DENY}, ${more}}`;
const withHook = (entry: string) => withRules(`"hooks": {"PreToolUse": [${entry}]}`);
const withHandler = (handler: string) => withHook(`{"hooks": [${handler}]}`);

/** What takes the whole file with it. */
const DROPPERS: readonly (readonly [say: string, text: string, rule?: string])[] = [
  ['a mode that is none', '{"permissions": {"defaultMode": "allowEdits", "deny": ["Read(./.env)", "Bash(rm *)"]}}'],
  ['allow as a text', '{"permissions": {"allow": "Bash(ls)", "deny": ["Read(./.env)", "Bash(rm *)"]}}'],
  ['deny as a text', '{"permissions": {"deny": "Read(./.env)"}}'],
  ['a hook without a command', withHandler('{"type": "command"}')],
  ['a hook of an unknown type', withHandler('{"type": "shell", "command": "a"}')],
  ['a hook without a type', withHandler('{"command": "a"}')],
  ['an entry without inner hooks', withHook('{"matcher": "Bash"}')],
  ['hooks beside the matcher', withHook('{"matcher": "Bash", "type": "command", "command": "a"}')],
  ['a command in the place of an entry', withHook('"./a.sh"')],
  ['a timeout as a text', withHandler('{"type": "command", "command": "a", "timeout": "5"}')],
  ['a timeout of nothing', withHandler('{"type": "command", "command": "a", "timeout": 0}')],
  ['a matcher that is a list', withHook('{"matcher": ["Bash"], "hooks": [{"type": "command", "command": "a"}]}')],
  ['a failure mode that is none', withHandler('{"type": "command", "command": "a", "onFailure": "deny"}')],
  ['a model that is a number', withRules('"model": 5')],
  ['days that are a text', withRules('"cleanupPeriodDays": "30"')],
  ['a status line that is a text', withRules('"statusLine": "x"')],
  ['a folder that is a number', '{"permissions": {"additionalDirectories": [1], "deny": ["Read(./.env)", "Bash(rm *)"]}}'],
  ['a switch that is a text', withRules('"enableAllProjectMcpServers": "yes"')],
  ['a sandbox that is a switch', withRules('"sandbox": true')],
  ['a switch below a map', withRules('"sandbox": {"enabled": "true"}')],
  ['hosts that are a text', withRules('"sandbox": {"network": {"allowedDomains": "x.example"}}')],
  ['a status line without its type', withRules('"statusLine": {"command": "x"}')],
  ['no days', withRules('"cleanupPeriodDays": 0')],
  ['plugins that are a list', withRules('"enabledPlugins": ["a@b"]')],
  ['a plugin that is neither on nor off', withRules('"enabledPlugins": {"a@b": "yes"}')],
  ['announcements that are a text', withRules('"companyAnnouncements": "Hi"')],
  ['a value of a few that is none of them', withRules('"tui": "x"')],
  ['a key that only the newer version knows', withRules('"feedbackDrafts": "x"')],
  ['a list at the top', `[{${DENY}}]`],
  ['a text at the top', '"deny"'],
  ['a file that is cut short', `{${DENY}, "hooks": {"PreToolUse": [`],
  ['single quotes', "{'permissions': {'deny': ['Bash(rm *)']}}"],
  ['a trailing comma', `{${DENY},}`, 'settings/json-not-strict'],
  ['a comment', `{\n  // no secrets\n  ${DENY}\n}`, 'settings/json-not-strict'],
];

for (const [say, text, rule = 'settings/discarded'] of DROPPERS) {
  test(`${say} loses the file: ${rule}`, () => {
    const { findings } = lintTexts({ [FILE]: text });
    const found = findings.filter(({ ruleId }) => ruleId === 'settings/discarded' || ruleId === 'settings/json-not-strict');
    assert.equal(
      found.map(({ ruleId, severity }) => [ruleId, severity]),
      [[rule, 'error']],
      JSON.stringify(findings),
    );
    assert.match(found[0]?.message ?? '', /^Claude Code ignores this whole file, with (?:its|all its) /);
    if (text.includes('"Read(./.env)", "Bash(rm *)"') && !text.startsWith('['))
      assert.match(found[0]?.message ?? '', /its (?:2 deny rules|.* and 1 hook)/);
  });
}

/** What loses a part in 2.1.332, and what else in 2.1.197 (each tried with both). */
const PARTS: readonly (readonly [say: string, text: string, older: string])[] = [
  ...['PostToolUse', 'Stop', 'SessionStart'].flatMap((event) =>
    (
      [
        ['without its list', '{"matcher": "Bash", "type": "command", "command": "a"}'],
        ['with a timeout that is a text', '{"hooks": [{"type": "command", "command": "a", "timeout": "5"}]}'],
        ['that is a text', '"./a.sh"'],
      ] as const
    ).map(
      ([say, entry]) =>
        [`a hook of ${event} ${say}`, withRules(`"hooks": {"${event}": [${entry}]}`), 'ignores this whole file'] as const,
    ),
  ),
  ['a failure mode behind a call', withRules(`"hooks": {"Stop": [${HOOK.replace('"block"', '"deny"')}]}`), 'does not mind'],
  [
    'a marketplace that is a text',
    withRules('"extraKnownMarketplaces": {"x": {"source": "github:x/y"}}'),
    'ignores this whole file',
  ],
  ['an event that is a map', withRules('"hooks": {"Stop": {"hooks": []}}'), ''],
];

for (const [say, text, older] of PARTS) {
  test(`${say} loses no more than itself in 2.1.332`, () => {
    const found = lintTexts({ [FILE]: text }).findings.filter(({ ruleId }) => ruleId === 'settings/discarded');
    assert.equal(
      found.map(({ severity }) => severity),
      ['warning'],
    );
    const message = found[0]?.message ?? '';
    assert.match(message, /^Claude Code passes over this part of the file: /);
    if (older === '') assert.not.match(message, /2\.1\./);
    else assert.ok(message.includes(` (2.1.332; 2.1.197 ${older}`), message);
  });
}

for (const [say, text] of [
  ['one server as a text is a list of it', '"enabledMcpjsonServers": "x"'],
  ['null is no value', '"disableBundledSkills": null'],
] as const)
  test(`${say} in 2.1.332`, () => {
    const { findings } = lintTexts({ [FILE]: withRules(text) });
    assert.match(
      findings.find(({ ruleId }) => ruleId === 'settings/discarded')?.message ?? '',
      /^Claude Code 2\.1\.197 ignores this whole file, .*\(2\.1\.332 does not mind\.\)$/,
    );
  });

test('values that both take', () => {
  const more = [
    '"sandbox": {"enabled": true, "network": {"allowedDomains": ["x.example"], "httpProxyPort": 1}}, "env": {"A": 1, "B": null}',
    '"statusLine": {"type": "command", "command": "x"}, "cleanupPeriodDays": 1, "enabledPlugins": {"a@b": true, "c@d": ["1"]}',
    '"attribution": {"commit": "", "pr": ""}, "effortLevel": "ultra", "language": "japanese"',
    '"extraKnownMarketplaces": {"x": {"source": {"source": "github", "repo": "x/y"}}}, "worktree": {"symlinkDirectories": ["a"]}',
  ];
  const { findings } = lintTexts({ [FILE]: withRules(more.join(', ')) });
  assert.equal(
    findings.filter(({ ruleId }) => ruleId === 'settings/discarded'),
    [],
  );
});

/** What loses a rule or the hooks, and nothing else. */
const INEFFECTIVE: readonly (readonly [say: string, text: string, rule: string])[] = [
  ['deny at the top', '{"deny": ["Bash(rm *)"]}', 'settings/misplaced-key'],
  ['deny below a prototype', '{"permissions": {"__proto__": {"deny": ["Bash(rm *)"]}}}', 'settings/misplaced-key'],
  ['permissions twice', `{${DENY}, "permissions": {}}`, 'schema/duplicate-key'],
  ['deny twice', '{"permissions": {"deny": ["Bash(rm *)"], "deny": []}}', 'schema/duplicate-key'],
  ['hooks twice', withRules(`"hooks": {"PreToolUse": [${HOOK}]}, "hooks": {}`), 'schema/duplicate-key'],
  ['hooks as a list', withRules('"hooks": []'), 'hooks/wrong-shape'],
  ['hooks as a text', withRules('"hooks": "x"'), 'hooks/wrong-shape'],
  ['an event that is none', withRules(`"hooks": {"preToolUse": [${HOOK}]}`), 'hooks/unknown-event'],
  ['hooks switched off', withRules('"disableAllHooks": true'), 'settings/disables-hooks'],
];

for (const [say, text, rule] of INEFFECTIVE) {
  test(`${say}: ${rule}, and the file counts`, () => {
    const { findings } = lintTexts({ [FILE]: text });
    const ids = findings.map(({ ruleId }) => ruleId);
    assert.ok(ids.includes(rule), ids.join());
    assert.not.ok(ids.includes('settings/discarded'), JSON.stringify(findings));
  });
}

/** A rule of a deny list that denies nothing, and which rule of lint says so. The rest of the file counts. */
const DEAD_DENIES: readonly (readonly [say: string, deny: unknown, rule: string])[] = [
  ['a tool in lower case', 'bash', 'rules/unknown-tool'],
  ['a space before it', ' Bash', 'rules/malformed'],
  ['a space behind it', 'Bash ', 'rules/malformed'],
  ['no words before the colon', 'Bash(:*)', 'rules/matches-nothing'],
  ['nothing between parentheses', 'Bash()', 'rules/matches-nothing'],
  ['a parenthesis that is not closed', 'Bash(rm *', 'rules/malformed'],
  ['nothing', '', 'rules/malformed'],
  ['a tool that there is not', 'Deploy', 'rules/unknown-tool'],
  ['a colon in the place of parentheses', 'Edit:*', 'rules/malformed'],
  ['an address without domain:', 'WebFetch(https://example.com)', 'rules/webfetch-domain'],
  ['a path of a tool that is not asked', 'Write(./.env)', 'rules/never-consulted'],
  ['a number', 5, 'rules/malformed'],
  ['null', null, 'rules/malformed'],
  ['a list', ['Bash(rm *)'], 'rules/malformed'],
  ['a map', { rule: 'Bash(rm *)' }, 'rules/malformed'],
];

for (const [say, deny, rule] of DEAD_DENIES) {
  test(`${say} as a deny rule: ${rule}`, () => {
    const text = JSON.stringify({ permissions: { deny: ['Bash(rm *)', deny] } });
    const { findings } = lintTexts({ [FILE]: text });
    const from = JSON.stringify({ permissions: { deny: ['Bash(rm *)'] } }).length - 2;
    assert.equal(
      findings.filter(({ location }) => location.column > from).map(({ ruleId }) => ruleId),
      [rule],
      JSON.stringify(findings),
    );
    assert.is(deny === 'Deploy' ? 'warning' : 'error', findings.find(({ ruleId }) => ruleId === rule)?.severity);
  });
}

for (const deny of ['Bash(*)', 'B*', 'Bash', 'Read(./.env)', 'Bash(rm:*)'])
  test(`${deny} denies: nothing to say`, () => {
    const { findings } = lintTexts({ [FILE]: JSON.stringify({ permissions: { deny: [deny] } }) });
    assert.equal(
      findings.map(({ ruleId, severity }) => [ruleId, severity]),
      [],
    );
  });

/** What the client keeps, or passes over by itself. */
const KEPT: readonly (readonly [say: string, text: string])[] = [
  ['a key that it does not know', withRules('"ourNotes": [1]')],
  ['a rule that is a number', '{"permissions": {"deny": [5, "Bash(rm *)"]}}'],
  ['a tool in lower case', '{"permissions": {"deny": ["bash", "Bash(rm *)"]}}'],
  ['a parenthesis that is not closed', '{"permissions": {"deny": ["Bash(rm *", "Bash(rm *)"]}}'],
  ['nothing in parentheses', '{"permissions": {"deny": ["Bash()", "Bash(rm *)"]}}'],
  ['an empty rule', '{"permissions": {"deny": ["", "Bash(rm *)"]}}'],
  ['a star', '{"permissions": {"deny": ["*"]}}'],
  ['an address', '{"permissions": {"deny": ["WebFetch(https://example.com)"]}}'],
  ['an event that is none', withRules('"hooks": {"BeforeLunch": [{"matcher": 5}]}')],
  ['hooks as an empty list', withRules('"hooks": []')],
  ['an expression that is none', withRules('"hooks": {"PreToolUse": [{"matcher": "(", "hooks": []}]}')],
  ['a variable that is a number', withRules('"env": {"A": 1, "B": null}')],
  ['a byte order mark', `\uFEFF{${DENY}}`],
  ['CR LF', `{\r\n  ${DENY}\r\n}\r\n`],
  ['hooks without a matcher', withHandler('{"type": "command", "command": "a", "timeout": 0.5}')],
  [
    'every type of hook',
    withRules(
      `"hooks": {"Stop": [{"hooks": [${[
        '{"type": "http", "url": "http://localhost:1"}',
        '{"type": "mcp_tool", "server": "a", "tool": "b"}',
        '{"type": "prompt", "prompt": "a"}',
        '{"type": "agent", "prompt": "a"}',
      ].join()}]}]}`,
    ),
  ],
];

for (const [say, text] of KEPT) {
  test(`${say} loses nothing else`, () => {
    const ids = lintTexts({ [FILE]: text }).findings.map(({ ruleId }) => ruleId);
    for (const id of ['settings/discarded', 'settings/json-not-strict']) assert.not.ok(ids.includes(id), ids.join());
  });
}

/** What is wrong, and the same text as the fix leaves it. */
const FIXED: readonly (readonly [say: string, text: string, fixed: string])[] = [
  [
    'comments and commas',
    '{\r\n  // one\r\n  "permissions": {"deny": ["Bash"], /* two */}, // three\r\n  "model": "a//b",\r\n}',
    '{\r\n  "permissions": {"deny": ["Bash"]},\r\n  "model": "a//b"\r\n}',
  ],
  [
    'deny at the top',
    '{\n  "deny": ["Bash(rm *)"],\n  "model": "x"\n}',
    '{\n  "permissions": { "deny": ["Bash(rm *)"] },\n  "model": "x"\n}',
  ],
  ['another word for deny', '{"permissions": {"denny": ["Bash"]}}', '{"permissions": {"deny": ["Bash"]}}'],
  [
    'a hook beside its matcher',
    '{"hooks": {"Stop": [{"matcher": "*", "type": "command", "command": "a}"}]}}',
    '{"hooks": {"Stop": [{"matcher": "*", "hooks": [{ "type": "command", "command": "a}"}]}]}}',
  ],
  [
    'a hook without a matcher',
    '{"hooks": {"Stop": [{"type": "command", "command": "a"}]}}',
    '{"hooks": {"Stop": [{ "hooks": [{"type": "command", "command": "a"}] }]}}',
  ],
];

for (const [say, text, fixed] of FIXED) {
  test(`${say}: the fix leaves valid settings, and nothing to fix`, () => {
    const first = applyFixes(text, lintTexts({ [FILE]: text }).findings).text;
    assert.is(first, fixed);
    JSON.parse(first);
    assert.is(applyFixes(first, lintTexts({ [FILE]: first }).findings).text, fixed);
  });
}

test('what would allow more has no fix', () => {
  for (const text of ['{"allow": ["Bash"]}', '{"permission": {"allow": ["Bash"]}}', '{"permissions": {"allowed": ["Bash"]}}'])
    for (const { fix } of lintTexts({ [FILE]: text }).findings) assert.is(fix, null, text);
});

test.run();
