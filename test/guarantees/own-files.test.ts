/**
 * "Keeping the gate" 6: an agent tries to change what judges it, by many routes, under a policy that allows everything it can.
 * Whatever the route, the answer is deny (a question where the text says so), from the hook as it runs.
 */
import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { HOOK_SCOPES, type HookScope } from '../../src/runner/hook/runner.js';
import { allRunners } from '../../src/runner/runners.js';
import { type HookWorld, payload, verdictOf, withHookWorld } from '../hook/world.js';

/** As open as a person can make it. */
const OPEN = 'version: 1\npreset: safe\ndefault: allow\nallow: ["Bash(*)", "Edit(**)", "Write(**)", "Read(**)", "mcp__fs"]\n';

/** What an agent would like to change; paths are below the home folder. */
const TARGETS: Readonly<Record<string, string>> = {
  "the user's policy": '.config/policy/policy.yaml',
  "the project's policy": 'project/policy.yaml',
  "the project's local policy": 'project/policy.local.yaml',
  'the trust records': '.local/state/policy/trust/x.json',
  'a snapshot': '.local/state/policy/snapshots/x.json',
  "the session's project": '.local/state/policy/sessions/x.json',
  'the decision log': '.local/state/policy/log/2026-01-01.jsonl',
  "the runner's settings": '.claude/settings.json',
  "the project's runner settings": 'project/.claude/settings.local.json',
  'the transcripts': '.claude/projects/p/t.jsonl',
  'a hook of git': 'project/.git/hooks/pre-commit',
  'the shell start file': '.bashrc',
};

type Call = readonly [tool: string, input: Readonly<Record<string, unknown>>];

const bash = (command: string): Call => ['Bash', { command }];

/** Ways to change a file; `path` is absolute, `link` a link in the project to the target's folder. */
const ROUTES: Readonly<Record<string, (path: string, link: string) => Call>> = {
  Write: (path) => ['Write', { file_path: path, content: 'x' }],
  Edit: (path) => ['Edit', { file_path: path, old_string: 'a', new_string: 'b' }],
  MultiEdit: (path) => ['MultiEdit', { file_path: path, edits: [{ old_string: 'a', new_string: 'b' }] }],
  'Edit with dots in the path': (path) => [
    'Edit',
    {
      file_path: `${dirname(path)}/../${dirname(path).split('/').at(-1)}/./${path.split('/').at(-1)}`,
      old_string: 'a',
      new_string: 'b',
    },
  ],
  'Write through a link to its folder': (path, link) => [
    'Write',
    { file_path: `${link}/${path.split('/').at(-1)}`, content: 'x' },
  ],
  'an MCP tool': (path) => ['mcp__fs__write_file', { path, content: 'x' }],
  'a redirection': (path) => bash(`echo x > ${path}`),
  'an appending redirection': (path) => bash(`echo x >>${path}`),
  'a redirection through a link': (path, link) => bash(`echo x > ${link}/${path.split('/').at(-1)}`),
  'a redirection after cd': (path) => bash(`cd ${dirname(path)} && echo x > ${path.split('/').at(-1)}`),
  'a redirection with a variable': (path) => bash(`d=${dirname(path)}; echo x > "$d/${path.split('/').at(-1)}"`),
  'a redirection with ~': (path) => bash(`echo x > ~/${path.split('/user/')[1]}`),
  'a redirection with $HOME': (path) => bash(`echo x > "$HOME/${path.split('/user/')[1]}"`),
  tee: (path) => bash(`echo x | tee -a ${path}`),
  'sed -i': (path) => bash(`sed -i s/deny/allow/ ${path}`),
  cp: (path) => bash(`cp README.md ${path}`),
  'cp -t': (path) => bash(`cp -t ${dirname(path)} docs/${path.split('/').at(-1)}`),
  'cp into its folder': (path) => bash(`cp docs/${path.split('/').at(-1)} ${dirname(path)}`),
  'ln -s into its folder': (path) => bash(`ln -s ../docs/${path.split('/').at(-1)} ${dirname(path)}`),
  mv: (path) => bash(`mv README.md ${path}`),
  'mv away': (path) => bash(`mv ${path} gone`),
  'ln -sf': (path) => bash(`ln -sf README.md ${path}`),
  rm: (path) => bash(`rm -f ${path}`),
  dd: (path) => bash(`dd if=README.md of=${path}`),
  truncate: (path) => bash(`truncate -s 0 ${path}`),
  touch: (path) => bash(`touch -d 2020-01-01 ${path}`),
  chmod: (path) => bash(`chmod 777 ${path}`),
  install: (path) => bash(`install -m 644 README.md ${path}`),
  rsync: (path) => bash(`rsync README.md ${path}`),
  'find -delete': (path) => bash(`find ${path} -delete`),
  'xargs rm': (path) => bash(`echo x | xargs rm -f ${path}`),
  'a shell inside': (path) => bash(`bash -c 'echo x > ${path}'`),
  'env and nice': (path) => bash(`env nice cp README.md ${path}`),
  curl: (path) => bash(`curl -o ${path} https://example.com/x`),
  'a subshell in the background': (path) => bash(`(sleep 1; echo x > ${path}) &`),
  'a here-document': (path) => bash(`cat > ${path} <<'EOF'\nversion: 1\nEOF`),
};

function withTargets(use: (world: HookWorld) => void): void {
  const files = Object.fromEntries(Object.values(TARGETS).map((file) => [file, '']));
  const { '.local/state/policy/sessions/x.json': _, 'project/policy.local.yaml': __, ...rest } = files;
  withHookWorld({ ...rest, 'project/policy.yaml': 'version: 1\n', '.config/policy/policy.yaml': OPEN }, (world) => use(world));
}

withTargets((world) => {
  // One world for all rows: nothing is ever written by them.
  const rows: [string, string][] = [];
  for (const [target, file] of Object.entries(TARGETS)) {
    const path = join(world.home, file);
    const link = join(world.project, `link-${rows.length}`);
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(dirname(path), link);
    for (const [route, call] of Object.entries(ROUTES))
      rows.push([`${target} by ${route}`, verdictOf(world.run(payload(world, ...call(path, link))))]);
  }
  for (const [what, said] of rows) test(what, () => assert.is(said, 'deny'));
});

/** Commands about folders that hold what is protected, and their answers. */
const FOLDERS: readonly (readonly [command: string, said: string])[] = [
  ['rm -rf ~/.config', 'deny'],
  ['rm -rf ~/.local', 'deny'],
  ['rm -rf ~/.local/state', 'deny'],
  ['mv ~/.config/policy ~/old', 'deny'],
  ['mv ~/.config ~/old', 'deny'],
  ['mv docs ~/.config', 'allow'],
  ['mv docs/.config ~', 'deny'],
  ['cp -r docs/.ssh ~', 'deny'],
  ['find ~/.config -delete', 'deny'],
  ['rm -rf .git', 'deny'],
  ['rm -rf .', 'ask'],
  ['rm -rf ../project', 'ask'],
  ['mv ../project ../gone', 'ask'],
  ['rm -rf .claude', 'ask'],
  ['mv .claude old', 'ask'],
  ['mv docs .codex', 'ask'],
  ['ln -s docs .codex', 'ask'],
  ['cp -r docs/.codex .', 'ask'],
  ['rsync -a docs/.codex .', 'ask'],
  ['rsync -a --link-dest ~/.config/policy docs copy', 'deny'],
  ['rsync -a --link-dest=$HOME/.config/policy docs copy', 'ask'],
  ['rsync -a --copy-dest ~/.config/policy docs copy', 'allow'],
  ['rsync -a --link-dest=../docs docs copy', 'allow'],
  ['mkdir .codex', 'allow'],
  ['rm -rf docs', 'allow'],
  ['cp README.md docs', 'allow'],
  ['cp README.md docs/policy.md', 'allow'],
];

withTargets((world) => {
  mkdirSync(join(world.project, 'docs'));
  const rows = FOLDERS.map(
    ([command, said]) => [command, said, verdictOf(world.run(payload(world, 'Bash', { command })))] as const,
  );
  for (const [command, said, actual] of rows)
    test(`a folder: ${command} gets ${said}`, () => assert.is(actual === 'silence' ? 'allow' : actual, said));
});

/** Commands about whatever a glob stands for, and their answers. */
const GLOBS: readonly (readonly [command: string, said: string, why: string])[] = [
  ['rm ~/.bas*c', 'deny', 'a file of the home'],
  ['cat README.md > ~/.bas*rc', 'deny', 'by a redirection'],
  ['tee ~/.b*c', 'deny', 'by a tool'],
  ['cp README.md ~/.zsh*v', 'ask', 'one that is not there yet, but may be by then'],
  ['rm -rf ~/.co*g', 'deny', 'a folder above'],
  ['rm -rf ~/.local/stat?', 'deny', 'one of our own folders'],
  ['rm -rf ~/.[a-z]*', 'deny', 'what may be `..` for all that its text tells'],
  ['tee ~/*/../.bashrc', 'deny', 'what climbs out again'],
  ['rm -rf /usr/local/li?/policy', 'deny', 'from the root'],
  ['rm -rf ../pro*t', 'ask', 'the project itself'],
  ['rm -rf nested/*', 'allow', 'it holds a node_modules, which is made again by an installation'],
  ['tee linked/*', 'deny', 'a link in it leads to a shell start file'],
  ['rm p*.yaml', 'deny', "the project's policy"],
  ['rm .g*/config', 'deny', 'a part of the name is enough'],
  ['rm -rf build/*', 'allow', 'nothing there is protected'],
  ['rm -rf build/* nothing/*', 'allow', 'nor in a folder that is not there'],
  ['chmod +x build/*', 'allow', 'nor when it is written to'],
  ['rm -f build/.[a-z]*', 'allow', 'no hidden file is'],
  ['rm -f build/**/*.o', 'allow', 'nor any further below'],
  ['rm -f coverage*', 'allow', 'a name with any end is no workspace'],
  ['frobnicate build/*', 'allow', 'nor is one that an unknown command is given'],
];

withTargets((world) => {
  for (const file of ['build/a.o', 'build/sub/b.o', 'nested/node_modules/x']) world.write(`project/${file}`, '');
  mkdirSync(join(world.project, 'linked'));
  symlinkSync(join(world.home, '.bashrc'), join(world.project, 'linked/notes'));
  const rows = GLOBS.map(([command, said, why]) => {
    const actual = verdictOf(world.run(payload(world, 'Bash', { command })));
    return [`a glob: ${command} gets ${said}: ${why}`, said, actual === 'silence' ? 'allow' : actual] as const;
  });
  for (const [name, said, actual] of rows) test(name, () => assert.is(actual, said));
});

/** Every file in which a runner looks for hooks, or in which they can be switched off. */
const SETTINGS: readonly string[] = allRunners().flatMap(({ places, switches = [] }) => [
  ...HOOK_SCOPES.flatMap((scope) => (places[scope] === null ? [] : place(scope, places[scope].path))),
  ...switches.map(({ scope, path }) => place(scope, path)),
]);

function place(scope: HookScope, path: string): string {
  return { user: `~/${path}`, project: path, managed: path }[scope];
}

withTargets((world) => {
  const rows = [...new Set(SETTINGS)].map(
    (file) => [file, verdictOf(world.run(payload(world, 'Bash', { command: `tee ${file}` })))] as const,
  );
  for (const [file, said] of rows) test(`settings of a runner: ${file}`, () => assert.is(said, 'deny'));
});

/** Settings in a folder that a variable of the runner names. */
const MOVED: readonly (readonly [runner: string, variable: string, file: string, command: string, said: string])[] = [
  ['claude-code', 'CLAUDE_CONFIG_DIR', 'moved', 'echo {} > ~/moved/settings.json', 'deny'],
  ['claude-code', 'CLAUDE_CONFIG_DIR', 'moved', 'rm -rf ~/moved', 'deny'],
  ['claude-code', 'CLAUDE_CONFIG_DIR', 'moved', 'rm -rf ~/mo*d', 'deny'],
  ['claude-code', 'CLAUDE_CONFIG_DIR', 'link', 'echo {} > ~/moved/settings.json', 'deny'],
  ['claude-code', 'CLAUDE_CONFIG_DIR', 'link', 'echo {} > ~/link/settings.json', 'deny'],
  ['claude-code', 'CLAUDE_CONFIG_DIR', 'project/.cfg', 'echo {} > .cfg/settings.json', 'deny'],
  ['claude-code', 'CLAUDE_CONFIG_DIR', '', 'echo {} > ~/settings.json', 'deny'],
  ['claude-code', 'CLAUDE_CONFIG_DIR', '', 'echo {} > notes.json', 'allow'],
  ['codex', 'CODEX_HOME', 'moved', 'echo > ~/moved/config.toml', 'deny'],
  ['copilot-cli', 'COPILOT_HOME', 'moved', 'echo > ~/moved/config.json', 'deny'],
  ['opencode', 'XDG_CONFIG_HOME', 'moved', 'echo > ~/moved/opencode/plugins/policy.js', 'deny'],
];

withTargets((world) => {
  mkdirSync(join(world.home, 'moved'));
  symlinkSync(join(world.home, 'moved'), join(world.home, 'link'));
  for (const [runner, variable, folder, command, said] of MOVED) {
    const environment = { HOME: world.home, PATH: '/usr/bin:/bin', [variable]: join(world.home, folder) };
    const [tool, session] = [runner === 'opencode' ? 'bash' : 'Bash', `${runner}-${folder}`];
    const call = { hook: 'tool.execute.before', input: { tool, sessionID: session, callID: 'c' }, output: { args: { command } } };
    const own = { sessionId: session, toolName: 'bash', toolArgs: { command }, cwd: world.project };
    const input = {
      opencode: JSON.stringify({ ...call, cwd: world.project }),
      'copilot-cli': JSON.stringify(own),
    }[runner];
    const { exitCode } = world.run(input ?? payload(world, tool, { command }, { session_id: session }), {
      words: [runner],
      environment,
    });
    test(`${variable}=~/${folder}: ${command} gets ${said}`, () => assert.is(exitCode, said === 'deny' ? 2 : 0));
  }
});

test.run();
