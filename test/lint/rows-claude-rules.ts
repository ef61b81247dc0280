// What the rules about permission rules find in the settings of Claude Code, with exact spans.
import { POLICY, policyText, type Row, row } from './linted.js';

const SHARED = '.claude/settings.json';
const LOCAL = '.claude/settings.local.json';
const QWEN = '.qwen/settings.json';

/** Settings with these rules, the first of them on the second line; each begins in column 4, behind its quote. */
function settings(effect: 'allow' | 'ask' | 'deny', ...rules: readonly string[]): string {
  return `{ "permissions": { "${effect}": [\n${rules.map((text) => `  ${JSON.stringify(text)}`).join(',\n')}\n] } }\n`;
}

/** Settings with one allow rule on the second line and one of another effect on the third. */
function both(allow: string, other: string, effect: 'ask' | 'deny' = 'deny'): string {
  return `{ "permissions": { "allow": [\n  ${JSON.stringify(allow)}], "${effect}": [\n  ${JSON.stringify(other)}] } }\n`;
}

const allow = (rule: string, say: string, text: string, ...places: readonly string[]) =>
  row(rule, say, SHARED, settings('allow', text), ...places);
const deny = (rule: string, say: string, text: string, ...places: readonly string[]) =>
  row(rule, say, SHARED, settings('deny', text), ...places);

export const claudeRuleRows: readonly Row[] = [
  deny('rules/malformed', 'no closing parenthesis', 'Bash(rm *', '2:4-2:13 error'),
  deny('rules/malformed', 'a space at the end', 'Bash(rm *) ', '2:4-2:15 error'),
  deny('rules/malformed', 'a space at the start', ' Bash', '2:4-2:9 error'),
  deny('rules/malformed', 'spaces inside', 'Bash( git push )', '2:4-2:20 error'),
  deny('rules/malformed', 'a negation', '!Bash(rm *)', '2:4-2:15 error'),
  allow('rules/malformed', 'a colon instead of parentheses', 'Edit:*', '2:4-2:10 error'),
  allow('rules/malformed', 'two tools', 'Bash, Read', '2:4-2:14 error'),
  allow('rules/malformed', 'escaped parentheses, a name of MCP', 'Bash(python -c print\\(1\\))'),
  allow('rules/malformed', 'an MCP server with a dot', 'mcp__my.server__tool'),
  row('rules/malformed', 'another runner', QWEN, settings('deny', 'Bash(rm *) ')),

  deny('rules/unknown-tool', 'another case', 'bash(rm:*)', '2:4-2:8 error'),
  deny('rules/unknown-tool', 'the name of another runner', 'FileWrite(src/**)', '2:4-2:13 error'),
  deny('rules/unknown-tool', 'a misspelling', 'Raed(.env)', '2:4-2:8 error'),
  deny('rules/unknown-tool', 'a name that nothing explains', 'FrobnicateAll', '2:4-2:17 warning'),
  allow('rules/unknown-tool', 'a short name like no other', 'List(src/**)', '2:4-2:8 warning'),
  allow('rules/unknown-tool', 'in an allow', 'Shell(ls)', '2:4-2:9 warning'),
  row(
    'rules/unknown-tool',
    'older names, MCP, wildcards',
    SHARED,
    settings('deny', 'Task(rev)', 'KillShell', 'LS', 'mcp__a__b', 'B*', 'SlashCommand(/x)'),
  ),

  deny('rules/matches-nothing', 'braces', 'Read({.env,.netrc})', '2:4-2:23 error'),
  deny('rules/matches-nothing', 'a negation', 'Edit(!src/**)', '2:4-2:17 error'),
  deny('rules/matches-nothing', 'a way up', 'Edit(../**)', '2:4-2:15 error'),
  deny('rules/matches-nothing', 'a list', 'Edit(src/**,vendor/**)', '2:4-2:26 error'),
  deny('rules/matches-nothing', 'an agent with a wildcard', 'Agent(re*)', '2:4-2:14 error'),
  deny('rules/matches-nothing', 'an MCP tool with a specifier', 'mcp__srv__tool(x)', '2:4-2:21 error'),
  deny('rules/matches-nothing', 'the command by its name', 'Bash(command:rm)', '2:4-2:20 error'),
  deny('rules/matches-nothing', 'empty parentheses', 'Bash()', '2:4-2:10 error'),
  deny('rules/matches-nothing', 'no words', 'Bash(:*)', '2:4-2:12 error'),
  deny('rules/matches-nothing', 'a regular expression', 'Bash(^rm .*$)', '2:4-2:17 error'),
  deny('rules/matches-nothing', 'every tool: not in every version', '*', '2:4-2:5 info'),
  allow('rules/matches-nothing', 'programs that are named as an input', 'Bash(timeout:*)'),
  allow('rules/matches-nothing', 'a program that is named as the main input', 'Bash(command:*)'),
  deny('rules/matches-nothing', 'that program, denied', 'Bash(command:*)'),
  allow('rules/matches-nothing', 'an input with a value, allowed', 'Bash(timeout:5)', '2:4-2:19 warning'),
  allow('permissions/interpreter-wildcard', 'a program that is named as an input', 'Bash(timeout:*)', '2:4-2:19 error'),
  allow('permissions/interpreter-wildcard', 'a program that measures another one', 'Bash(time:*)', '2:4-2:16 error'),
  allow('permissions/interpreter-wildcard', 'a program that slows another one', 'Bash(nice *)', '2:4-2:16 error'),
  allow('permissions/interpreter-wildcard', 'a program before one that is named', 'Bash(nice npm test *)'),
  row('rules/matches-nothing', 'an ask', SHARED, settings('ask', 'Bash(git push :*)'), '2:4-2:21 error'),
  allow('rules/matches-nothing', 'every tool, allowed', '*', '2:4-2:5 warning'),
  allow('rules/matches-nothing', 'every server, allowed', 'mcp__*', '2:4-2:10 warning'),
  allow('rules/matches-nothing', 'Monitor, which runs commands', 'Monitor', '2:4-2:11 warning'),
  row(
    'rules/matches-nothing',
    'what does match',
    SHARED,
    settings(
      'deny',
      'mcp__*',
      'B*',
      'Agent(rev)',
      'Agent(*)',
      'Agent(model:opus)',
      'Bash(run_in_background:true)',
      'Edit(app/{{name}}/**)',
      'Bash(git push:*)',
      'Read(a,b.txt)',
      'Skill(demo:*)',
      'Bash(echo {a,b})',
    ),
  ),
  row('rules/matches-nothing', 'a policy has its own rule', POLICY, policyText('deny: [Read(../a)]')),

  deny('rules/matches-everything', 'spaces and stars', 'Bash( *)', '2:4-2:12 warning'),
  deny('rules/matches-everything', 'two stars', 'Bash(**)', '2:4-2:12 warning'),
  deny('rules/matches-everything', 'said plainly', 'Bash(*)'),
  allow('rules/matches-everything', 'under allow another rule reports it', 'Bash(**)'),

  deny('rules/never-consulted', 'Write', 'Write(./.env*)', '2:4-2:18 error'),
  deny('rules/never-consulted', 'MultiEdit', 'MultiEdit(src/**)', '2:4-2:21 error'),
  deny('rules/never-consulted', 'Glob', 'Glob(secrets/**)', '2:4-2:20 error'),
  deny('rules/never-consulted', 'Monitor', 'Monitor(rm:*)', '2:4-2:17 error'),
  allow('rules/never-consulted', 'in an allow', 'Write(src/**)', '2:4-2:17 warning'),
  row(
    'rules/never-consulted',
    'beside the rule that protects',
    SHARED,
    settings('deny', 'Edit(.env)', 'Write(.env)'),
    '3:4-3:15 info',
  ),
  row('rules/never-consulted', 'reading is denied, too', SHARED, settings('deny', 'Read(.env)', 'Write(.env)'), '3:4-3:15 info'),
  row(
    'rules/never-consulted',
    'bare names, and the rules that count',
    SHARED,
    settings('deny', 'Write', 'Write(*)', 'Edit(.env)', 'Read(.env)'),
  ),
  row('rules/never-consulted', 'in a policy it counts', POLICY, policyText('deny: [Write(src/**)]')),

  deny('rules/mid-colon-star', 'in the middle', 'Bash(git:* push)', '2:9-2:19 error'),
  deny('rules/mid-colon-star', 'with another wildcard', 'Bash(git * main:*)', '2:9-2:21 error'),
  allow('rules/mid-colon-star', 'in an allow', 'Bash(git:* --stat)', '2:9-2:21 warning'),
  allow('rules/mid-colon-star', 'instead of a port', 'Bash(curl http://localhost:*)', '2:9-2:32 warning'),
  row(
    'rules/mid-colon-star',
    'at the end; a tag; a port with a path; a wildcard of the shell',
    SHARED,
    settings(
      'allow',
      'Bash(git push:*)',
      'Bash(docker build -t app:* .)',
      'Bash(curl http://localhost:*/health)',
      'Bash(ls *.ts:*)',
      'Bash(npm run test:*)',
    ),
  ),

  allow('rules/glued-wildcard', 'ls and lsof', 'Bash(ls*)', '2:9-2:12 warning'),
  allow('rules/glued-wildcard', 'ps and psql', 'Bash(ps*)', '2:9-2:12 warning'),
  row(
    'rules/glued-wildcard',
    'a version; a subcommand; a folder; no such program',
    SHARED,
    settings('allow', 'Bash(python3*)', 'Bash(npm run test*)', 'Bash(./scripts/*)', 'Bash(mytool*)', 'Bash(ls *)'),
  ),
  deny('rules/glued-wildcard', 'a deny may be wide', 'Bash(ls*)'),

  allow('rules/operator-with-wildcard', 'two commands', 'Bash(cd web && npm run *)', '2:9-2:28 warning'),
  deny('rules/operator-with-wildcard', 'a pipe', 'Bash(curl * | sh)', '2:9-2:20 info'),
  row(
    'rules/operator-with-wildcard',
    'a whole line; quotes; a backslash',
    SHARED,
    settings(
      'allow',
      'Bash(cd web && npm test)',
      'Bash(grep "a|b" *)',
      "Bash(awk '{print; next}' *)",
      'Bash(find . -exec cat {} \\; *)',
    ),
  ),

  deny('rules/absolute-path', 'one slash in settings', 'Read(/etc/**)', '2:9-2:16 warning'),
  allow('permissions/all-writes', 'a tool that Claude Code has not', 'MultiEdit'),
  allow('permissions/all-writes', 'one that it has', 'Edit', '2:4-2:8 info'),
  allow('rules/absolute-path', 'a home folder', 'Edit(/Users/ana/x/**)', '2:9-2:24 warning'),
  row(
    'rules/absolute-path',
    'two slashes; a folder of the project; no path',
    SHARED,
    settings('deny', 'Read(//etc/**)', 'Read(/src/**)', 'Bash(/usr/bin/env)'),
  ),

  deny('rules/windows-path', 'a drive', 'Read(C:\\Users\\ana\\.ssh\\**)', '2:3-2:35 warning'),
  deny('rules/windows-path', 'a drive with slashes', 'Read(C:/Users/ana/**)', '2:9-2:24 warning'),
  row('rules/windows-path', 'escapes; a command', SHARED, settings('allow', 'Edit(app/\\[id\\]/**)', 'Bash(type C:\\x)')),

  deny('rules/webfetch-domain', 'an address', 'WebFetch(https://paste.example/*)', '2:13-2:36 error'),
  deny('rules/webfetch-domain', 'a space', 'WebFetch(domain: example.com)', '2:13-2:32 error'),
  allow('rules/webfetch-domain', 'a host', 'WebFetch(example.com)', '2:13-2:24 warning'),
  row(
    'rules/webfetch-domain',
    'hosts',
    SHARED,
    settings('allow', 'WebFetch(domain:example.com)', 'WebFetch(domain:*.Example.com)', 'WebFetch(domain:localhost)', 'WebFetch'),
  ),

  row(
    'rules/one-off',
    'a program on the line, a loop, a long command',
    LOCAL,
    settings('allow', "Bash(python3 -c 'print(1)')", 'Bash(do echo x)', 'Bash(npm test)', `Bash(echo ${'x'.repeat(220)})`),
    '2:4-2:31 info',
  ),
  row(
    'rules/one-off',
    'commands that are run again',
    LOCAL,
    settings('allow', 'Bash(python3 tools/report.py)', 'Bash(for-each.sh)', 'Bash(done.sh:*)', 'Bash(node -e:*)'),
  ),
  deny('rules/one-off', 'a deny', "Bash(python3 -c 'print(1)')"),

  row(
    'rules/machine-path',
    'two rules, one finding',
    SHARED,
    settings('allow', 'Read(//Users/ana/docs/**)', 'Bash(/home/ana/bin/x)', 'Read(docs/**)'),
    '2:4-2:29 info',
  ),
  row('rules/machine-path', 'absolute-path says it', SHARED, settings('allow', 'Edit(/Users/ana/x/**)')),
  row('rules/machine-path', 'local settings are of one machine', LOCAL, settings('allow', 'Read(//Users/ana/docs/**)')),
  row(
    'rules/machine-path',
    'a container, a wildcard',
    SHARED,
    settings('allow', 'Read(//home/node/x/**)', 'Read(//home/*/x)', 'Read(~/docs/**)'),
  ),

  row('rules/duplicate', 'in settings', SHARED, settings('allow', 'Bash(ls)', 'Bash(ls)'), '3:4-3:12 info'),
  row('rules/duplicate', 'in a policy', POLICY, policyText('allow: [Bash(ls), Bash(ls)]'), '2:19-2:27 info'),
  row('rules/duplicate', 'two effects', SHARED, both('Bash(ls)', 'Bash(ls)')),

  row('rules/contradiction', 'in settings, in two spellings', SHARED, both('Bash(make:*)', 'Bash(make *)'), '2:4-2:16 error'),
  row('rules/contradiction', 'different rules', SHARED, both('Bash(make:*)', 'Bash(make clean)')),

  row(
    'rules/shadowed',
    'in settings: an allow below a deny',
    SHARED,
    both('Bash(git push origin:*)', 'Bash(git push:*)'),
    '2:4-2:27 warning',
  ),
  row(
    'rules/shadowed',
    'below a wildcard inside',
    SHARED,
    both('Bash(npm run build --force)', 'Bash(npm * --force)', 'ask'),
    '2:4-2:31 warning',
  ),
  row('rules/shadowed', 'below the bare tool', SHARED, both('Bash(ls:*)', 'Bash'), '2:4-2:14 warning'),
  row('rules/shadowed', 'a path', SHARED, both('Edit(src/gen/a.ts)', 'Edit(src/**)'), '2:4-2:22 warning'),
  row('rules/shadowed', 'reading is denied, so writing is', SHARED, both('Edit(src/a.ts)', 'Read(src/**)'), '2:4-2:18 warning'),
  row(
    'rules/shadowed',
    'a host',
    SHARED,
    both('WebFetch(domain:a.example.com)', 'WebFetch(domain:*.example.com)'),
    '2:4-2:34 warning',
  ),
  row('rules/shadowed', 'an MCP tool', SHARED, both('mcp__github__get_issue', 'mcp__github'), '2:4-2:26 warning'),
  row('rules/shadowed', 'something is left', SHARED, both('Bash(git:*)', 'Bash(git push:*)')),
  row('rules/shadowed', 'another word with the same beginning', SHARED, both('Bash(gitk)', 'Bash(git:*)')),
  row('rules/shadowed', 'the host itself', SHARED, both('WebFetch(domain:example.com)', 'WebFetch(domain:*.example.com)')),
  row('rules/shadowed', 'a bare name is another tool', SHARED, both('Edit(src/**)', 'Edit')),
  row('rules/shadowed', 'a deny that matches nothing', SHARED, both('Write(src/a)', 'Write(src/**)')),
  row('rules/shadowed', 'a compound line', SHARED, both('Bash(cd a && git push)', 'Bash(cd:*)')),

  row(
    'rules/redundant',
    'in settings, two below one',
    SHARED,
    settings('allow', 'Bash(git log:*)', 'Bash(git:*)', 'Bash(git diff --stat)'),
    '2:4-2:19 info',
  ),
  row(
    'rules/redundant',
    'a glued star holds the other forms',
    SHARED,
    settings('allow', 'Bash(ls *)', 'Bash(ls*)'),
    '2:4-2:14 info',
  ),
  row(
    'rules/redundant',
    'some of it only; a search that runs',
    SHARED,
    settings('allow', 'Bash(git * main)', 'Bash(git push:*)', 'Bash(find:*)', 'Bash(find . -delete)'),
  ),

  allow('permissions/git-wildcard', 'every subcommand', 'Bash(git:*)', '2:4-2:15 warning'),
  allow('permissions/git-wildcard', 'one of them', 'Bash(git log:*)'),
  row('permissions/git-wildcard', 'a policy means less by it', POLICY, policyText('allow: [Bash(git *)]')),
  allow('permissions/exec-capable-utility', 'tar', 'Bash(tar *)', '2:4-2:15 warning'),
  allow('permissions/exec-capable-utility', 'sed by its path', 'Bash(/usr/bin/sed:*)', '2:4-2:24 warning'),
  row(
    'permissions/exec-capable-utility',
    'one use of it; a reader',
    SHARED,
    settings('allow', 'Bash(tar -tf:*)', 'Bash(sed -n:*)', 'Bash(cat:*)', 'Bash(tar)'),
  ),
  row('permissions/exec-capable-utility', 'a policy knows the options', POLICY, policyText('allow: [Bash(tar *)]')),
  allow('permissions/whole-mcp-server', 'a server', 'mcp__github', '2:4-2:15 info'),
  allow('permissions/whole-mcp-server', 'a server, with a star', 'mcp__my_server__*', '2:4-2:21 info'),
  allow('permissions/whole-mcp-server', 'a tool', 'mcp__github__get_issue'),
  deny('permissions/whole-mcp-server', 'denied', 'mcp__github'),
  allow('permissions/no-deny', 'none', 'Bash(ls)', '1:4-1:15 info'),
  row('permissions/no-deny', 'one that has no effect', SHARED, both('Bash(ls)', 'Write(x)'), '1:4-1:15 info'),
  row('permissions/no-deny', 'one', SHARED, both('Bash(ls)', 'Bash(rm:*)')),
  {
    rule: 'permissions/no-deny',
    say: 'in the file beside it',
    texts: { [SHARED]: settings('deny', 'Bash(rm:*)'), [LOCAL]: settings('allow', 'Bash(ls)') },
    places: [],
  },
  row('permissions/secrets-readable', 'another deny', SHARED, both('Bash(ls)', 'Bash(rm:*)'), '1:4-1:15 info'),
  row('permissions/secrets-readable', '.env', SHARED, both('Bash(ls)', 'Read(./.env)')),
  row('permissions/secrets-readable', 'at any depth', SHARED, both('Bash(ls)', 'Read(**/*.pem)')),
  row('permissions/secrets-readable', 'in the home folder', SHARED, both('Bash(ls)', 'Read(~/.ssh/**)')),
  row('permissions/secrets-deny-bypass', 'an interpreter', SHARED, both('Bash(python3:*)', 'Read(./.env)'), '2:4-2:19 warning'),
  row('permissions/secrets-deny-bypass', 'every command', SHARED, both('Bash', 'Read(**/.env)'), '2:4-2:8 warning'),
  row('permissions/secrets-deny-bypass', 'a script; a reader that is known', SHARED, both('Bash(python3 x.py)', 'Read(./.env)')),
  row('permissions/secrets-deny-bypass', 'a build', SHARED, both('Bash(make:*)', 'Read(./.env)')),
  row('permissions/secrets-deny-bypass', 'no secret', SHARED, both('Bash(python3:*)', 'Read(docs/**)')),
  row(
    'permissions/additional-dir-broad',
    'home and root',
    SHARED,
    '{ "permissions": { "additionalDirectories": [\n  "~/",\n  "/",\n  "/Users/ana"] } }\n',
    '2:3-2:7 warning',
    '3:3-3:6 warning',
    '4:3-4:15 warning',
  ),
  row(
    'permissions/additional-dir-broad',
    'a folder',
    SHARED,
    '{ "permissions": { "additionalDirectories": ["../docs", "~/notes", "/tmp/x"] } }\n',
  ),

  allow('permissions/all-bash', 'a star for every tool allows nothing there', '*'),
  allow('permissions/all-bash', 'every command', 'Bash(**)', '2:4-2:12 error'),
  allow('permissions/all-bash', 'every program with an option', 'Bash(* --version)', '2:4-2:21 error'),
  allow('permissions/all-bash', 'every program with an option and more', 'Bash(* --help *)', '2:4-2:20 error'),
  allow('permissions/all-bash', 'every program whose line ends alike', 'Bash(*.sh)', '2:4-2:14 error'),
  allow('permissions/all-bash', 'one program', 'Bash(git * --version)'),
  allow('permissions/all-bash', 'a star that is a plain character', 'Bash(* push:*)'),
  deny('permissions/all-bash', 'every program with an option, denied', 'Bash(* --version)'),
  row(
    'permissions/interpreter-wildcard',
    'only the widest of its file',
    SHARED,
    '{ "permissions": { "allow": [\n  "Bash(node -e *)",\n  "Bash(node:*)",\n  "Bash(python3 -c:*)"] } }\n',
    '3:4-3:16 error',
    '4:4-4:22 error',
  ),
  row(
    'permissions/interpreter-wildcard',
    'beside a rule for every command',
    SHARED,
    '{ "permissions": { "allow": ["Bash", "Bash(node:*)"] } }\n',
  ),
  allow('permissions/interpreter-wildcard', 'a rule that matches nothing', 'Bash(python:* x:*)'),
  allow('permissions/config-writable', 'the settings', 'Edit(.claude/settings.json)', '2:4-2:31 error'),
  allow('permissions/config-writable', 'notes beside them', 'Edit(.claude/plans/**)'),
  allow('permissions/config-writable', 'never looked at', 'Write(.claude/settings.json)'),
];
