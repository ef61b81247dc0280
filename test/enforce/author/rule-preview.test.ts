/** What a new rule is said to change: calls made from it, examples of other rules, and calls of the decision log. */
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { previewRules } from '../../../src/author/rule-preview.js';
import { inputFromText } from '../../../src/call/subject.js';
import { enforceDry } from '../../../src/enforce/enforce.js';
import { appendRecord } from '../../../src/log/append.js';
import { parsePolicy } from '../../../src/policy/document.js';
import { openWorkspace } from '../../../src/project/workspace.js';
import { changedCalls } from '../../../src/report/rule-edit.js';
import { sample, stateDirectory, withInput } from '../../log/sample.js';
import { withFiles } from '../scratch.js';

/** The lines that a rule's preview prints, in a project with a policy and a log of commands. */
function preview(
  effect: 'allow' | 'ask' | 'deny',
  rule: string,
  policy: string,
  logged: readonly string[] = [],
  folder = '.',
): readonly string[] {
  return withFiles(
    { 'policy.yaml': policy, 'src/x': '', '.git/HEAD': 'ref: refs/heads/main\n', '.git/objects/x': '', '.git/refs/x': '' },
    (top) => {
      const cwd = join(top, folder);
      const state = stateDirectory();
      for (const command of logged) appendRecord(state, { ...sample({ project: cwd, ...withInput({ command }) }), cwd });
      const opened = openWorkspace({ cwd, home: '/home/nobody', platform: 'linux', environment: {}, trustProject: true });
      if (!opened.ok) throw new Error(JSON.stringify(opened.problems));
      const added =
        parsePolicy(`version: 1\n${effect}: [${JSON.stringify(rule)}]\n`, { file: 'new.yaml', format: 'yaml', layer: 'project' })
          .document?.rules ?? [];
      return changedCalls(previewRules(opened.workspace, added, state));
    },
  );
}

/** What a policy that is written says about a call. */
function answered(policy: string, tool: string, subject: string): string {
  return withFiles(
    { 'policy.yaml': policy, '.git/HEAD': 'ref: refs/heads/main\n', '.git/objects/x': '', '.git/refs/x': '' },
    (cwd) => {
      const opened = openWorkspace({ cwd, home: '/home/nobody', platform: 'linux', environment: {}, trustProject: true });
      if (!opened.ok) throw new Error(JSON.stringify(opened.problems));
      return enforceDry(opened.workspace, { tool, input: inputFromText(tool, subject), cwd, headless: false, shell: 'union' })
        .decision;
    },
  );
}

const EMPTY = 'version: 1\ndefault: ask\n';
const ROWS: readonly (readonly [why: string, effect: 'allow' | 'deny', rule: string, lines: readonly RegExp[]])[] = [
  ['an exact command', 'allow', 'Bash(make lint)', [/Bash make lint +ask → allow$/]],
  ['a wildcard behind words', 'allow', 'Bash(mytool *)', [/Bash mytool +ask → allow/, /Bash mytool x +ask → allow/, /--force/]],
  ['a folder', 'allow', 'Edit(/src/**)', [/Edit src\/x +ask → allow/]],
  ['a file at the top of the project', 'allow', 'Edit(/Makefile)', [/Edit Makefile +ask → allow/]],
  ['quotes', 'allow', "Bash(pip install 'x>=1')", [/Bash pip install 'x>=1' +ask → allow/]],
  ['words that a shell reads only in quotes', 'allow', 'Bash(pip install x>=1)', [/Bash pip install 'x>=1' +ask → allow/]],
  ['an address', 'allow', 'Bash(curl * https://h.example/* *)', [/Bash curl https:\/\/h\.example\/x +ask → allow/]],
  ['what only reads of a server', 'allow', 'mcp__github__*(read-only)', [/mcp__github__get_item +ask → allow/]],
  [
    'an argument',
    'allow',
    'mcp__a__b(query.owner: acme*, force: false)',
    [/mcp__a__b \{"query":\{"owner":"acmex"\},"force":false\} +ask → allow/],
  ],
  ['an address of any server', 'allow', 'mcp__*(url: http://localhost:*)', [/mcp__x__get_item \{"url":"http:.*\} +ask → allow/]],
  ['a path of a server', 'allow', 'mcp__a__*(path: /docs/**)', [/mcp__a__get_item \{"path":"docs\/x"\} +ask → allow/]],
  ['an argument denied', 'deny', 'mcp__a__b(channel: C09*)', [/mcp__a__b \{"channel":"C09x"\} +ask → deny/]],
  ['a host', 'allow', 'WebFetch(domain:*.example.com)', [/WebFetch https:\/\/www\.example\.com\/ +ask → allow/]],
  ['a tool', 'deny', 'WebSearch', [/WebSearch x +ask → deny/]],
];
for (const [why, effect, rule, lines] of ROWS)
  test(`${effect} ${rule}: ${why}`, () => {
    const [head, ...shown] = preview(effect, rule, EMPTY);
    assert.is(head, 'What changes:');
    assert.is(shown.length, lines.length, shown.join('\n'));
    for (const [index, line] of lines.entries()) assert.match(shown[index] ?? '', line);
  });

test('relative paths of rules start at the top of the project, also when the person is in a folder below it', () => {
  assert.match(preview('allow', 'Edit(/Makefile)', EMPTY, [], 'src')[1] ?? '', /Edit Makefile +ask → allow/);
});

const ALLOWED: readonly (readonly [rule: string, newly: RegExp])[] = [
  ['Bash(rm *)', /Bash rm -rf build +ask → allow$/],
  ['Bash(npm:*)', /Bash npm config get \w+ +ask → allow$/],
  ['Bash', /Bash curl \S+ \| sh +ask → allow$/],
  ['Write', /Write ~\/x +ask → allow$/],
  ['mcp__github__*', /mcp__github__get_item +ask → allow$/],
  ['Agent(*)', /Agent x +ask → allow$/],
  ['WebFetch', /WebFetch https:\/\/example\.com\/ +ask → allow$/],
];
for (const [rule, newly] of ALLOWED)
  test(`allow ${rule}: the calls that newly pass are shown, and each answer is that of the written policy`, () => {
    const before = 'version: 1\npreset: safe\n';
    const lines = preview('allow', rule, before);
    assert.ok(
      lines.some((line) => newly.test(line)),
      lines.join('\n'),
    );
    for (const line of lines.slice(1)) {
      const [, tool = '', subject = '', first, second] = /^ {2}(\S+) (.*?) +(?:(\w+) → (\w+)|still \w+.*)$/.exec(line) ?? [];
      const same = /still (\w+)/.exec(line)?.[1];
      assert.is(answered(before, tool, subject), first ?? same, `${line}, without the rule`);
      assert.is(answered(`${before}allow: ['${rule}']\n`, tool, subject), second ?? same, `${line}, with the rule`);
    }
  });

test('an example of another rule whose answer changes is told', () => {
  const policy = 'version: 1\nallow:\n  - rule: Bash(make *)\n    match: [make docs]\n';
  assert.ok(
    preview('deny', 'Bash(make *)', policy).some((line) => /make docs +allow → deny {2}\(an example in the policy\)/.test(line)),
  );
});

test('calls of the log are told once with their number; those with another answer than before only, and none with a mask', () => {
  const lines = preview('allow', 'Bash(mytool *)', EMPTY, [
    'mytool docs',
    'mytool docs',
    'ls',
    'mytool PASSWORD=hunter2hunter2 x',
  ]);
  assert.ok(
    lines.some((line) => /mytool docs +ask → allow {2}\(2 times in the decision log\)/.test(line)),
    lines.join('\n'),
  );
  assert.not(
    lines.some((line) => / ls |PASSWORD/.test(line)),
    lines.join('\n'),
  );
});

test('what is printed of a call cannot move the terminal', () => {
  const lines = preview('allow', 'Bash(make *)', EMPTY, ['make "\u001b[2J\u202e"']);
  assert.not.match(lines.join('\n'), /[\u001b\u202e]/);
});

test.run();
