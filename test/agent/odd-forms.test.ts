/**
 * Definitions in odd forms, in every runner's format. Whatever bounds its author meant must be there; where nobody can tell what was
 * meant the definition is invalid, and its mistake names a line.
 */

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { AgentDefinition } from '../../src/agent/agent.js';
import { type AgentOrigin, parseAgent } from '../../src/agent/dialects/parse.js';
import type { RunnerId } from '../../src/call/tool-call.js';

const HEAD = 'name: a\ndescription: d\n';
const md = (front: string) => `---\n${HEAD}${front}\n---\nbody\n`;
const LONG = Array.from({ length: 5_000 }, (_, at) => `tool_${at}`);

/** In one line: `all`, `none`, the list, or `invalid`; `-tool` for one that is excluded, `reads` for one that may only read. */
function said({ status, tools, excludedTools, readsOnly, readOnly, permissions }: AgentDefinition): string {
  if (status !== 'active') return status;
  const list = tools.state === 'absent' ? 'all' : tools.state === 'empty' ? 'none' : tools.tools.join(' ');
  const less = excludedTools.map((tool) => `-${tool}`);
  const rules = permissions?.rules.map(({ effect, text }) => `${effect}:${text}`) ?? [];
  return [list, ...less, ...(readsOnly === true || readOnly ? ['reads'] : []), ...rules].join(' ');
}

type Format = RunnerId | 'claude-code' | 'agent-code' | 'codex-markdown' | 'codex-yaml';
function originOf(format: Format): AgentOrigin {
  const scope = 'project';
  if (format === 'codex-yaml') return { file: 'a.yaml', dialect: format, scope };
  if (format === 'claude-code' || format === 'agent-code' || format === 'codex-markdown')
    return { file: 'a.md', dialect: format, scope };
  return { file: format === 'codex' ? 'a.toml' : 'a.md', dialect: 'claude-code', scope, runner: format };
}

const TABLE: Readonly<Partial<Record<Format, readonly (readonly [text: string, expected: string])[]>>> = {
  'claude-code': [
    [md('tools: Read, Bash(git log:*, --oneline), Grep'), 'Read Bash(git log:*, --oneline) Grep'],
    [md('tools:\n  - Read\n  - "Bash(a, b)"'), 'Read Bash(a, b)'],
    [md('tools:\n- Read\n- 5\n- null\n- [Bash]\n- {Bash: true}'), 'Read'],
    [md('tools: "*"'), '*'],
    [md('tools: ["*"]'), '*'],
    [md('tools: []'), 'none'],
    [md('tools:'), 'none'],
    [md('tools: ~'), 'none'],
    [md('tools: ""'), 'none'],
    [md('tools: "  "'), 'none'],
    [md('tools: ", ,"'), 'none'],
    [md('tools: 7'), 'none'],
    [md('tools: true'), 'none'],
    [md('tools: { Bash: true }'), 'none'],
    [md('tools: !!str Read'), 'Read'],
    [md('tools: !custom Read'), '!custom Read'],
    [md('tools: !!set { Bash }'), '!!set { Bash }'],
    [md('tools: |\n  Read\n  Bash'), 'Read\nBash'],
    [md('tools: >\n  Read,\n  Grep'), 'Read Grep'],
    [md('tools: Read,\n  Grep'), 'Read Grep'],
    [md('tools: Read # , Bash'), 'Read'],
    [md("tools: 'Read'' Bash'"), "Read' Bash"],
    [md('tools: "Re\\x61d"'), 'Read'],
    [md('tools: Rеad, Ｂash'), 'Rеad Ｂash'],
    [md('tools: &t [Read]\ndisallowedTools: *t'), 'Read -Read'],
    [md('x: &x { tools: Bash }\n<<: *x'), 'invalid'],
    [md('tools: *nowhere'), '*nowhere'],
    [md('tools: Read\ntools: Bash'), 'invalid'],
    [md('"tools": Read\ntools: Bash'), 'invalid'],
    [md('? tools\n: Read'), 'Read'],
    [md('tools: Bash(a'), 'none'],
    [md('tools: [Read'), '[Read'],
    [md('tools: Bash)'), 'none'],
    [md('Tools: Read'), 'all'],
    [md('tools : Read'), 'Read'],
    [md('disallowedTools: Bash(rm:*)'), 'all -Bash(rm:*)'],
    [md('disallowedTools: "*"'), 'all -*'],
    [md('disallowedTools:'), 'all'],
    [md(`tools: ${LONG.join(', ')}`), LONG.join(' ')],
    [md(`tools: "${'('.repeat(100_000)}"`), 'none'],
    [md('policy:'), 'invalid'],
    [md('policy: deny'), 'invalid'],
    [md('policy: []'), 'invalid'],
    [md('policy: { denny: [Bash] }'), 'invalid'],
    [md('policy: { deny: { Bash: true } }'), 'invalid'],
    [md('policy: { deny: [null] }'), 'invalid'],
    [md('policy: { deny: Bash(rm *) }'), 'all deny:Bash(rm *)'],
    [md('policy: { deny: "Bash(rm *), Write" }'), 'all deny:Bash(rm *) deny:Write'],
    [md('policy: { deny: "Bash(a, b)" }'), 'all deny:Bash(a, b)'],
    [md('policy: { read_only: yes }'), 'invalid'],
    [md('policy: { read_only: "true" }'), 'invalid'],
    [md('policy: { read_only: true }'), 'all reads'],
    [md('policy: { deny: [Bash }'), 'invalid'],
    [md('policy:\n\tdeny: Bash'), 'invalid'],
    [md('tools: Read\u2028disallowedTools: x'), 'invalid'],
    [md('tools: Read').replaceAll('\n', '\r\n'), 'Read'],
    [md('tools: Read').replaceAll('\n', '\r'), 'invalid'],
    [`\uFEFF${md('tools: Read')}`, 'invalid'],
    [md('tools: Read\n...\ntools: Bash'), 'invalid'],
    [md('tools: Read\n...'), 'Read'],
    [`---\n%YAML 1.1\n---\n${HEAD}---\n`, 'invalid'],
    [`---\n${HEAD}tools: Read\n----\n`, 'invalid'],
    [`---\n${HEAD}tools: Read\n--- # end\n---\n`, 'invalid'],
    [`---\n${HEAD}tools: Read\n ---\nx: y\n---\n`, 'Read ---'],
    [`---\n# ${HEAD}\n---\n`, 'invalid'],
    ['---\n- name: a\n---\n', 'invalid'],
    ['---\n---\n', 'invalid'],
    ['---\nname: [a]\ndescription: d\n---\n', 'invalid'],
    ['---\nname: 5\ndescription: d\n---\n', 'invalid'],
    ['---\nname: a\ndescription: { x: y }\n---\n', 'invalid'],
  ],
  'agent-code': [
    [md('include_tools: [Read]'), 'Read'],
    [md('include_tools: Read, Grep'), 'Read Grep'],
    [md('include_tools:\n  - Read'), 'Read'],
    [md('include_tools:'), 'none'],
    [md('include_tools: []'), 'none'],
    [md('include_tools: 5'), 'invalid'],
    [md('include_tools: { Read: true }'), 'invalid'],
    [md('exclude_tools: [Bash]'), 'all -Bash'],
    [md('read_only: True'), 'all reads'],
    [md('read_only: "true"'), 'invalid'],
    [md('read_only: yes'), 'invalid'],
    [md('read_only:'), 'invalid'],
    [md('deny: Bash(rm *)\ndeny: Write'), 'invalid'],
    [md('deny: ["Bash(rm"]'), 'invalid'],
    [md('permission_mode: nonsense'), 'invalid'],
    [md('permission_mode: [plan]'), 'invalid'],
  ],
  'codex-markdown': [
    [md('tools: [git, npm]'), 'git npm'],
    [md('tools: git, npm'), 'git npm'],
    [md('tools:'), 'none'],
    [md('tools: { git: true }'), 'invalid'],
    [md('tools: ["", git]'), 'invalid'],
  ],
  'codex-yaml': [
    ['name: a\ngoal: g\ntools: { mcp: [x] }\n', 'x'],
    ['name: a\ngoal: g\n', 'none'],
    ['name: a\ngoal: g\ntools: [x]\n', 'invalid'],
    ['name: a\ngoal: g\n---\nname: b\n', 'invalid'],
    ['name: a\ngoal: g\ntools: { mcp: { x: y } }\n', 'invalid'],
    ['name: a\ngoal: g\ntools: { shell: { exec: 5 } }\n', 'invalid'],
  ],
  'gemini-cli': [
    [md('tools: [read_file]'), 'read_file'],
    [md('tools: ["*"]'), '*'],
    [md('tools: []'), 'none'],
    [md('tools:'), 'invalid'],
    [md('tools: read_file'), 'invalid'],
    [md('tools: { read_file: true }'), 'invalid'],
    [md('tools: [read_file, 5]'), 'read_file'],
    [md('tools: [mcp_*_x]'), 'mcp_*_x'],
  ],
  'qwen-code': [
    [md('tools: [edit]'), 'edit'],
    [md('tools: edit, read_file'), 'edit read_file'],
    [md('tools: []'), 'none'],
    [md('tools:'), 'invalid'],
    [md('tools: { edit: true }'), 'invalid'],
    [md('tools: 5'), 'invalid'],
    [md('disallowedTools: [run_shell_command]'), 'all -run_shell_command'],
    [md('disallowedTools: run_shell_command, edit'), 'all -run_shell_command -edit'],
    [md('disallowedTools: true'), 'invalid'],
  ],
  'copilot-cli': [
    [md('tools: ["*"]'), '*'],
    [md('tools: []'), 'none'],
    [md('tools: view, grep'), 'view grep glob'],
    [md('tools: ["Read", "SEARCH"]'), 'view grep glob'],
    [md('tools: [execute]'), 'bash powershell read_bash list_bash stop_bash'],
    [md('tools: [edit, web, agent, todo]'), 'edit create str_replace_editor web_fetch web_search task update_todo'],
    [md('tools: ["github/*", "db/query"]'), 'mcp__github mcp__db__query'],
    [md('tools: ["a/b/c"]'), 'a/b/c'],
    [md('tools:'), 'invalid'],
    [md('tools: { bash: true }'), 'invalid'],
  ],
  opencode: [
    [md('tools: { bash: false }'), 'all -bash'],
    [md('tools: { bash: "false" }'), 'all -bash'],
    [md('tools: { bash: no }'), 'all -bash'],
    [md('tools: { write: false }'), 'all -write -edit -patch -multiedit -apply_patch'],
    [md('tools: { "*": false, read: true }'), 'read'],
    [md('tools: { read: true, "*": false }'), 'none'],
    [md('tools: { "*": false }'), 'none'],
    [md('tools: { "*": true, bash: false }'), 'all -bash'],
    [md('tools:'), 'all'],
    [md('tools: [read]'), 'invalid'],
    [md('tools: read'), 'invalid'],
    [md('tools: { bash: false, bash: true }'), 'invalid'],
  ],
  cursor: [
    [md('readonly: true'), 'all reads'],
    [md('readonly: "true"'), 'all reads'],
    [md('readonly: yes'), 'all reads'],
    [md('readonly: [x]'), 'all reads'],
    [md('readonly: false'), 'all'],
    [md('readonly:'), 'all'],
    [md('readonly: true\nreadonly: false'), 'invalid'],
  ],
  codex: [
    ['name = "a"\ndescription = "d"\nsandbox_mode = "read-only"\n', 'all reads'],
    ['name = "a"\ndescription = "d"\ndefault_permissions = ":read-only"\n', 'all reads'],
    ['name = "a"\ndescription = "d"\nsandbox_mode = "workspace-write"\n', 'all'],
    ['\uFEFFname = "a"\ndescription = "d"\nsandbox_mode = "read-only"\n', 'all reads'],
    ['name = "a"\r\ndescription = "d"\r\nsandbox_mode = \'read-only\'\r\n', 'all reads'],
    ['name = "a"\ndescription = "d"\nsandbox_mode = "read-only"\nsandbox_mode = "workspace-write"\n', 'invalid'],
    ['name = "a"\ndescription = """\nsandbox_mode = "read-only"\n"""\n', 'all'],
    ['name = 5\ndescription = "d"\n', 'invalid'],
    ['name = "a"\ndescription = "d"\n[policy]\ndeny = ["Bash(rm *)"]\n', 'all deny:Bash(rm *)'],
    ['name = "a"\ndescription = "d"\npolicy = "deny"\n', 'invalid'],
    ['name: a\ndescription: d\n', 'invalid'],
  ],
};

for (const [format, rows] of Object.entries(TABLE) as [Format, (typeof TABLE)[Format]][])
  for (const [text, expected] of rows ?? [])
    test(`${format}: ${JSON.stringify(text.length > 300 ? `${text.slice(0, 300)}…` : text)} says ${expected.slice(0, 60)}`, () => {
      const definition = parseAgent(text, originOf(format));
      assert.is(said(definition), expected, JSON.stringify(definition.errors.slice(0, 3)));
      if (expected !== 'invalid') return;
      const first = definition.errors.find(({ severity }) => severity !== 'warning');
      assert.ok(first !== undefined && first.message.length > 10 && first.source.line >= 1 && first.source.file.startsWith('a.'));
    });

/** What cannot be read as a whole is still known by the name that a runner may find in it. */
const NAMES: readonly (readonly [text: string, name: string])[] = [
  ['---\nname: b\ncolor: x\ncolor: y\n---\n', 'b'],
  ['---\nname: b\nname: c\ndescription: d\n---\n', 'c'],
  ['---\nname: "b" # x\n<: [\n---\n', 'b'],
  ["---\n'name': 'b c'\nx: [\n---\nname: d\n", 'b-c'],
  ['\uFEFF---\nname: b\n---\n', 'b'],
  ['\n---\nname: b\n---\n', 'b'],
  ['---\nname: b\n', 'b'],
  ['---\n# name: b\nx: [\n---\n', 'a'],
  ['---\n  name: b\nx: [\n---\n', 'a'],
  ['# How to\n\n---\nname: b\n---\n', 'a'],
  ['', 'a'],
];
for (const [text, name] of NAMES)
  test(`${JSON.stringify(text)} is known as ${name}`, () => {
    const definition = parseAgent(text, originOf('claude-code'));
    assert.is(definition.status, 'invalid');
    assert.is(definition.name, name);
  });

test.run();
