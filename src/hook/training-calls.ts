/**
 * The calls that the hook is trained with, and the project in which they are made (train-hook.ts): what its code caches hold, and which
 * bundle a function is in, follows from what they run.
 */

/** What an agent asks for: a tool, and the fields of its input. */
export type TrainingCall = readonly [tool: string, fields: Readonly<Record<string, string>>];

const line = (command: string): TrainingCall => ['Bash', { command }];
const statusBy = (tool: string) => ({ tool_name: tool, tool_input: { command: 'git status' }, tool_use_id: 't' });

/** The call that makes the snapshot, too, and the only simple command line. */
export const STATUS: TrainingCall = line('git status');
/**
 * The calls that a session is full of: each leaves its functions in the cache. Rare ones stay out of it, since every function in
 * the cache costs every start a little, and a missing one costs only the call that needs it. What a simple command line does without
 * has a bundle of its own.
 */
export const COMPOUND: readonly TrainingCall[] = [
  line('cd src && git log --oneline -3 && git diff HEAD~2 --stat -- lib | grep -n "value" 2>/dev/null | head -3'),
  line("cat src/index.ts | grep -n 'export' | wc -l; ls -la src/"),
  line('git diff --stat && git add -A'),
];
/** What a person is asked about. */
export const ASKED: readonly TrainingCall[] = [
  line('cd src && npm run test > out.txt 2>&1'),
  line('git add -A && git commit -m "Say what is true now"'),
];
/** Those of them that are no command lines. */
export const READS: readonly TrainingCall[] = [
  ['Read', { file_path: 'src/index.ts' }],
  // Its path may as well be a secret in base64, as many a longer one.
  ['Edit', { file_path: 'src/Components/ButtonGroups/Index.ts', old_string: 'a', new_string: 'text\n'.repeat(200) }],
];
/** Calls that are made where no policy answers them, too: a person is asked, and told what would settle it. */
export const UNANSWERED: readonly TrainingCall[] = [STATUS, ...READS.slice(0, 1)];
/**
 * Calls that have to wait for one more bundle at most: what they run of the modules that the calls above run stays where those find it.
 */
export const OTHERS: readonly TrainingCall[] = [
  ['mcp__issues__create', { title: 'text' }],
  ['Read', { file_path: '.env' }],
  line("sed -n '1,40p' src/index.ts"),
  line('rm -rf /'),
];
/** What a session makes now and then: all that it runs is in the caches, too, but in bundles that few calls need. */
export const SELDOM: readonly TrainingCall[] = [
  ...OTHERS,
  line('rm -rf build node_modules/.cache && mkdir -p dist'),
  line("find . -name '*.ts' -not -path './node_modules/*' | xargs grep -ln TODO"),
  line('NODE_ENV=test timeout 60 npx tsc --noEmit || echo "failed: $?"'),
  line('git push origin HEAD'),
  line('curl -sS https://example.com/a.json | jq .name'),
  line('sudo python3 -c "print(1)"'),
  line('git checkout -b topic && git stash pop && git rebase -i main'),
  line('docker run --rm -v "$PWD:/work" node:22 npm ci'),
  line('gh pr view 12 --json title'),
  ['Write', { file_path: 'docs/new.md', content: 'text' }],
];
/**
 * A call of every other runner, as its payload tells it (recorded; of Cursor and agent-code from their documentation), but for the
 * folder: what is about runners has a bundle of its own, of which these run what a call needs.
 */
export const ELSEWHERE: readonly (readonly [runner: string, payload: Readonly<Record<string, unknown>>])[] = [
  ['codex', { session_id: 's', turn_id: 't', hook_event_name: 'PreToolUse', permission_mode: 'default', ...statusBy('Bash') }],
  ['gemini-cli', { session_id: 's', hook_event_name: 'BeforeTool', ...statusBy('run_shell_command') }],
  ['copilot-cli', { sessionId: 's', timestamp: 1, toolName: 'bash', toolArgs: { command: 'git status', description: 'd' } }],
  ['qwen-code', { session_id: 's', hook_event_name: 'PreToolUse', permission_mode: 'default', ...statusBy('run_shell_command') }],
  [
    'opencode',
    {
      hook: 'tool.execute.before',
      input: { tool: 'bash', sessionID: 's', callID: 'c' },
      output: { args: { command: 'git status', description: 'd' } },
    },
  ],
  ['cursor', { hook_event_name: 'preToolUse', conversation_id: 'c', generation_id: 'g', ...statusBy('Shell') }],
  ['agent-code', { event: 'pre_tool_use', session_id: 's', ...statusBy('Bash') }],
];
/** What only the parser reads. */
export const PARSED = 'for f in $(ls src); do echo "file: $f" && cat <<EOF; done\n$HOME\nEOF\n';

/** What the user lets any project do; what a project allows counts only where the user trusts it. */
export const USER_POLICY = 'version: 1\npreset: safe\ndefault: ask\n';

/** A project as there are many: a policy, agents of several runners, a repository with a remote. */
export const PROJECT: Readonly<Record<string, string>> = {
  'policy.yaml': `version: 1
preset: safe
default: ask
allow:
  # Reading the code needs no question.
  - Read(src/**)
  - Read(package.json)
  - Edit(src/**)
  - Write(docs/**)
  - Grep
  - rule: Bash(npm test)
    reason: The unit tests need no network.
    match: [npm test]
    notMatch: [npm test -- --watch]
  - Bash(npm ls *)
  - Bash(ls *)
  - WebFetch(domain:nodejs.org)
  - WebFetch(domain:*.typescriptlang.org)
  - mcp__issues__list
  - Agent(code-reviewer)
ask:
  - rule: Bash(git push *)
    reason: A push is seen by everyone.
    suggest: git diff --stat
    match: [git push, git push origin main]
    notMatch: [git stash list]
  - Bash(gh pr create *)
  - Edit(package.json)
  - WebSearch
deny:
  - rule: Bash(rm -rf *)
    reason: Deleting trees needs a person.
    match: [rm -rf build]
  - Bash(git clean -fd *)
  - Read(.env)
  - Read(**/*.pem)
  - mcp__issues__delete
agents:
  missingTools: dialect
tiers:
  moderate: ask
  dangerous: ask
custom_tools:
  - name: codex_custom:ticket_search
    tier: safe
protectedBranches: [main]
budget:
  tokens: 400000
  perAgent:
    designer: 40000
`,
  '.claude/agents/code-reviewer.md':
    '---\nname: code-reviewer\ndescription: Reads a change.\ntools: Read, Grep, Bash\nmodel: opus\n---\n\nRead the diff.\n',
  '.agent/agents/janitor.md':
    '---\nname: janitor\ndescription: Reports tables\nread_only: true\ninclude_tools: [Grep, FileRead, Bash]\n' +
    'permission_mode: ask\nallow: ["FileRead(src/**)"]\ndeny: ["Bash(psql *)"]\n---\n\nDrop nothing.\n',
  '.codex/agents/designer.md':
    '---\nname: designer\ndescription: Proposes routes.\ntools:\n  - Read\n  - Grep\n---\n\nWrite no code.\n',
  '.codex/agents/bot.yaml':
    'name: bot\ngoal: Propose updates.\ntools:\n  mcp:\n    - codex_read_file\n  fs:\n    read: true\n    write:\n      - ./package.json\n' +
    '  net:\n    allow:\n      - https://registry.npmjs.org/*\n  shell:\n    exec:\n      - npm\n' +
    'policies:\n  context:\n    max_tokens: 16000\nsuccess_criteria:\n  - The tests pass.\nartifacts:\n  - artifacts/updates.md\n',
  '.claude/settings.json': '{ "permissions": { "allow": ["Bash(npm test)"], "deny": ["Read(./.env)"] } }\n',
  '.gitignore': 'node_modules/\ndist/\n.env\n',
  'src/index.ts': 'export const value = 1;\n',
  'package.json': '{ "name": "project", "scripts": { "test": "node --test" } }\n',
  '.git/HEAD': 'ref: refs/heads/topic\n',
  '.git/config':
    '[core]\n\tbare = false\n[remote "origin"]\n\turl = https://example.com/demo.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n' +
    '[branch "main"]\n\tremote = origin\n\tmerge = refs/heads/main\n',
};

/** The index of that repository as git wrote it, with three of its files: in base64. */
export const INDEX =
  'RElSQwAAAAIAAAADawMTuieyoYVrAxO6J7KhhQAA/gAAKsDtAACBpAAAAAAAAAAAAAAAAmF4B5gijRevLTT85M+981VWgyRyAAxwYWNrYWdlLm' +
  'pzb24AAAAAAABrAxO6J7KhhWsDE7onsqGFAAD+AAAqwO4AAIGkAAAAAAAAAAAAAAAC8q1sdvARWmulsARWqEmBDn7AryAAC3BvbGljeS55YW1s' +
  'AAAAAAAAAGsDE7onsqGFawMTuieyoYUAAP4AACrA7AAAgaQAAAAAAAAAAAAAAAJ4mBkiYTsq+2AlBC/2vYeKwZlOhQAMc3JjL2luZGV4LnRzAA' +
  'AAAAAAVFJFRQAAADUAMyAxCn37qne3yo5iILLbM1ngxq+z00Dlc3JjADEgMAoD9SHmdMWzxx9stwbByCQiSGrqf9qlDhtO0yJbmV+j8TTJd6EL' +
  'sML8';
