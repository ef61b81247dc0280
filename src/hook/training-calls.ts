/**
 * The calls with which the hook is trained, and the project in which they are made (train.ts). They determine the content of its
 * code caches, and which bundle contains a function.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A call of an agent: a tool, and the fields of its input. */
export type TrainingCall = readonly [tool: string, fields: Readonly<Record<string, string>>];

const line = (command: string): TrainingCall => ['Bash', { command }];

const STATUS = line('git status');
const READ: TrainingCall = ['Read', { file_path: 'src/index.ts' }];

/**
 * Calls that are typical of a session; the first one also creates the snapshot. Rare calls are omitted: every function in a code
 * cache costs every start a little, and a missing one costs only the call that needs it.
 */
export const CALLS: readonly [TrainingCall, ...TrainingCall[]] = [
  STATUS,
  STATUS,
  line('cd src && git log --oneline -3 && git diff HEAD~2 --stat -- lib | grep -n "value" 2>/dev/null | head -3'),
  line("cat src/index.ts | grep -n 'export' | wc -l; ls -la src/"),
  line('git diff --stat && git add -A'),
  READ,
  // This path could also be a secret in base64, like many longer paths.
  ['Edit', { file_path: 'src/Components/ButtonGroups/Index.ts', old_string: 'a', new_string: 'text\n'.repeat(200) }],
];
/** A Python program to train its reader. */
export const PROGRAM = "import json\nfor name, one in json.load(open('a.json')).items():\n    print(name, len(one), f'{one}')\n";

/** A line that needs the full parser. */
export const PARSED = 'for f in $(ls src); do echo "file: $f" && cat <<EOF; done\n$HOME\nEOF\n';

/** The user's own policy. A project's allow rules would apply only if the user trusted the project. */
export const USER_POLICY = 'version: 1\npreset: safe\ndefault: ask\n';

/** A typical project: a policy, agents of several runners, a repository with a remote. */
const PROJECT: Readonly<Record<string, string>> = {
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

/** The index of that repository as written by git, with three of its files; in base64. */
export const INDEX =
  'RElSQwAAAAIAAAADawMTuieyoYVrAxO6J7KhhQAA/gAAKsDtAACBpAAAAAAAAAAAAAAAAmF4B5gijRevLTT85M+981VWgyRyAAxwYWNrYWdlLm' +
  'pzb24AAAAAAABrAxO6J7KhhWsDE7onsqGFAAD+AAAqwO4AAIGkAAAAAAAAAAAAAAAC8q1sdvARWmulsARWqEmBDn7AryAAC3BvbGljeS55YW1s' +
  'AAAAAAAAAGsDE7onsqGFawMTuieyoYUAAP4AACrA7AAAgaQAAAAAAAAAAAAAAAJ4mBkiYTsq+2AlBC/2vYeKwZlOhQAMc3JjL2luZGV4LnRzAA' +
  'AAAAAAVFJFRQAAADUAMyAxCn37qne3yo5iILLbM1ngxq+z00Dlc3JjADEgMAoD9SHmdMWzxx9stwbByCQiSGrqf9qlDhtO0yJbmV+j8TTJd6EL' +
  'sML8';

/** Creates the project in a folder. */
export function writeProject(project: string): void {
  for (const [name, text] of Object.entries(PROJECT)) {
    mkdirSync(dirname(join(project, name)), { recursive: true });
    writeFileSync(join(project, name), text);
  }
  for (const name of ['objects', 'refs/heads']) mkdirSync(join(project, '.git', name), { recursive: true });
  writeFileSync(join(project, '.git', 'index'), Buffer.from(INDEX, 'base64'));
}
