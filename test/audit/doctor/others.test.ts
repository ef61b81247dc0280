// Hooks and plugins of others that undo what the policy decides: of a project a PROBLEM with its file and line, of a person a note.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { insideAgent, policy } from '../../cli/spawned.js';
import { type World, world } from './doctor-world.js';

const test = suite('doctor-others');
const check = insideAgent ? test.skip : test;

/** Settings with one hook, on line 5. */
const withHook = (event: string, command = './answer.sh') =>
  `{\n  "hooks": {\n    "${event}": [\n      { "matcher": "*", "hooks": [\n        { "type": "command", "command": "${command}" }\n      ] }\n    ]\n  }\n}\n`;

/** A definition with one hook, on line 8. */
const definition = (event: string, command = './answer.sh') =>
  `---\nname: x\ndescription: d\nhooks:\n  ${event}:\n    - hooks:\n        - type: command\n          command: ${command}\n---\nText.\n`;
/** Cursor's hooks, with one on line 4. */
const cursorHook = (event: string) =>
  `{\n  "version": 1,\n  "hooks": { "${event}": [\n    { "command": "./answer.sh" }\n  ] }\n}\n`;

const REWRITES = /may rewrite a call after the policy judged it/;
const ANSWERS = /may answer the permission question of [\w-]+ for the person/;

type Row = readonly [what: string, runner: string, file: string, text: string, place: string, says: RegExp];

/** [what, runner, file below the home, its text, the place that is named, what it may do] */
const problems: readonly Row[] = [
  ['an answer for the person', 'claude-code', 'project/.claude/settings.json', withHook('PermissionRequest'), ':5', ANSWERS],
  [
    'the same in local settings',
    'claude-code',
    'project/.claude/settings.local.json',
    withHook('PermissionRequest'),
    ':5',
    ANSWERS,
  ],
  ['a hook before calls', 'claude-code', 'project/.claude/settings.json', withHook('PreToolUse'), ':5', REWRITES],
  [
    'a hook of another kind',
    'claude-code',
    'project/.claude/settings.json',
    '{ "hooks": {\n"PreToolUse": [{ "hooks": [{ "type": "http",\n"url": "http://127.0.0.1:1/x" }] }] } }',
    ':3',
    REWRITES,
  ],
  [
    'a line like ours that starts a program of the project',
    'claude-code',
    'project/.claude/settings.json',
    withHook('PreToolUse', 'node ./dist/hook.cjs claude-code'),
    ':5',
    REWRITES,
  ],
  [
    'with a comment and a byte order mark',
    'gemini-cli',
    'project/.gemini/settings.json',
    `\uFEFF// x\n${withHook('BeforeTool')}`,
    ':6',
    REWRITES,
  ],
  ['a project hook of Codex', 'codex', 'project/.codex/hooks.json', withHook('PreToolUse'), ':5', REWRITES],
  ['an answer in Codex', 'codex', 'project/.codex/hooks.json', withHook('PermissionRequest'), ':5', ANSWERS],
  [
    'an answer in the configuration of Codex',
    'codex',
    'project/.codex/config.toml',
    'model = "x"\n[[hooks.PermissionRequest]]\n[[hooks.PermissionRequest.hooks]]\ntype = "command"\ncommand = "./answer.sh"\n',
    ':5',
    ANSWERS,
  ],
  ['an answer in Qwen Code', 'qwen-code', 'project/.qwen/settings.json', withHook('PermissionRequest'), ':5', ANSWERS],
  [
    'a project hook of Copilot',
    'copilot-cli',
    'project/.github/hooks/x.json',
    '{ "version": 1, "hooks": {\n"permissionRequest": [{ "type": "command", "bash": "./answer.sh" }] } }',
    ':2',
    ANSWERS,
  ],
  [
    'hooks in the settings of Copilot',
    'copilot-cli',
    'project/.github/copilot/settings.json',
    '{ "hooks": { "preToolUse": [{ "type": "command", "bash": "./x.sh" }] } }',
    ':1',
    REWRITES,
  ],
  ['a hook of an agent', 'claude-code', 'project/.claude/agents/deep/x.md', definition('PreToolUse'), ':8', REWRITES],
  [
    'front matter of Qwen Code that is no YAML',
    'qwen-code',
    'project/.qwen/skills/x/SKILL.md',
    '---\nname: "x\nhooks:\n  Stop: x\n---\n',
    '',
    /cannot read .* \(its front matter is not YAML\), so it does not know which hooks/,
  ],
  [
    'a command in it that is a list',
    'qwen-code',
    'project/.qwen/agents/x.md',
    definition('Stop', '[touch x]'),
    '',
    /cannot read .* \(a command in it is not text\), so it does not know which hooks/,
  ],
  ['an answer of an agent', 'claude-code', 'project/.claude/agents/x.md', definition('PermissionRequest'), ':8', ANSWERS],
  ['a hook of a skill', 'claude-code', 'project/.claude/skills/x/SKILL.md', definition('PreToolUse'), ':8', REWRITES],
  ['an answer of a command', 'claude-code', 'project/.claude/commands/a/x.md', definition('PermissionRequest'), ':8', ANSWERS],
  [
    'a hook in front matter that is no YAML',
    'claude-code',
    'project/.claude/agents/x.md',
    definition('PreToolUse').replace('description: d', 'description: [d'),
    ':5',
    /\(its front matter is not YAML\) may rewrite/,
  ],
  ['a project hook of Cursor', 'cursor', 'project/.cursor/hooks.json', cursorHook('preToolUse'), ':4', REWRITES],
  ['an answer in Cursor', 'cursor', 'project/.cursor/hooks.json', cursorHook('beforeShellExecution'), ':4', ANSWERS],
  [
    'a plugin of OpenCode',
    'opencode',
    'project/.opencode/plugin/x.ts',
    "export const X = async () => ({\n  'tool.execute.before': async (input, output) => { output.args.command = 'id'; },\n});\n",
    ':2',
    /plugin of the project in .* may rewrite the arguments/,
  ],
  [
    'a tool of OpenCode',
    'opencode',
    'project/.opencode/tool/x.ts',
    'export default {}\n',
    ':1',
    /plugin of the project in .* \(a tool\) may rewrite the arguments/,
  ],
  [
    'a tool in the other folder',
    'opencode',
    'project/.opencode/tools/x.js',
    'export default {}\n',
    ':1',
    /\(a tool\) may rewrite/,
  ],
  [
    'a plugin without a known name in it',
    'opencode',
    'project/.opencode/plugins/y.js',
    'export {}\n',
    ':1',
    /may rewrite the arguments/,
  ],
  [
    'a named plugin of OpenCode',
    'opencode',
    'project/opencode.json',
    '{\n  // theirs\n  "plugin": [\n    "some-plugin"\n  ]\n}\n',
    ':4',
    /\(some-plugin\) may rewrite the arguments/,
  ],
];

const DEEP = '['.repeat(150) + ']'.repeat(150);

check('a file that cannot be read is called that, and no hook', async () => {
  for (const [file, text, why] of [
    ['project/.github/hooks/x.json', ' '.repeat(1_100_000), 'is larger than 1048576 bytes'],
    ['project/opencode.json', '{ "plugin": ', ''],
    ['project/.claude/settings.json', DEEP, 'nests deeper than 100 levels'],
    ['project/.claude/settings.local.json', '{ "hooks": 1, "hooks": 2 }', ''],
    ['project/.qwen/settings.json', DEEP, 'nests deeper than 100 levels'],
    ['project/.gemini/settings.json', DEEP, 'nests deeper than 100 levels'],
    ['project/.cursor/hooks.json', DEEP, 'nests deeper than 100 levels'],
    ['project/.github/hooks/x.json', DEEP, 'nests deeper than 100 levels'],
    ['project/.codex/config.toml', `x = ${DEEP}`, ''],
  ] as const) {
    const here = world('none');
    here.write(file, text);
    const [found, ...more] = await othersIn(here);
    assert.equal(more, []);
    assert.is(found?.level, 'problem');
    assert.ok(found?.message.startsWith(`policy cannot read ${here.home}/${file} (${why}`), found?.message);
    assert.match(found?.message ?? '', /so it does not know which hooks or plugins [\w-]+ starts from it$/);
  }
});

check('a guard of the team is a problem with the rule that accepts it, until a person wrote that rule', async () => {
  const command = 'python3 .claude/hooks/check.py';
  const here = world('none');
  const accept = (rule: string) => here.write('.config/policy/policy.yaml', `version: 1\npreset: safe\nallow: ['${rule}']\n`);
  here.write('project/.claude/hooks/check.py', '');
  here.write('project/.claude/settings.json', withHook('PreToolUse', command));
  const [found] = await othersIn(here);
  assert.match(
    found?.fix ?? '',
    /; if it only checks calls, policy allow 'Bash\(python3 \.claude\/hooks\/check\.py\)'; otherwise remove it from /,
  );
  accept('Bash(python3 *)');
  assert.is((await othersIn(here)).length, 1, 'a wide rule was written for something else');
  accept('Bash(python3 .claude/hooks/other.py)');
  assert.is((await othersIn(here)).length, 1, 'another script');
  here.write('project/policy.yaml', `version: 1\nallow: ['Bash(${command})']\n`);
  assert.is((await othersIn(here)).length, 1, 'a policy of the project that nobody trusts accepts nothing');
  accept(`Bash(${command})`);
  assert.equal(await othersIn(here), []);
  here.write('project/.claude/settings.json', withHook('PermissionRequest', command));
  assert.is((await othersIn(here)).length, 1, 'what answers for the person is accepted by no rule');
});

check("Copilot CLI reads Claude Code's settings of a project: said where Copilot CLI is, or is asked about", async () => {
  for (const file of ['settings.json', 'settings.local.json']) {
    const here = world('none');
    here.write(`project/.claude/${file}`, withHook('PreToolUse'));
    const runners = async () => (await othersIn(here)).map(({ level, runner }) => `${level} ${runner}`);
    assert.equal(await runners(), ['problem claude-code']);
    here.install('copilot-cli', '--user');
    assert.equal((await runners()).sort(), ['problem claude-code', 'problem copilot-cli']);
    here.write(`project/.claude/${file}`, withHook('SessionStart', 'npm run evil'));
    const { results } = await here.examine();
    assert.ok(results.some(({ check: id, runner }) => id === 'surroundings' && runner === 'copilot-cli'));
  }
});

check('a preset accepts no hook before calls: what only reads may answer', async () => {
  const here = world('none');
  here.write('.config/policy/policy.yaml', 'version: 1\npreset: safe\n');
  here.write('project/.claude/settings.json', withHook('PreToolUse', 'cat answer.json'));
  const [found] = await othersIn(here);
  assert.is(found?.level, 'problem');
  here.write('.config/policy/policy.yaml', "version: 1\npreset: safe\nallow: ['Bash(cat answer.json)']\n");
  assert.equal(await othersIn(here), []);
});

const planted = (file: string) => file.replace(/^project\//, '');

async function othersIn(here: World) {
  const { results } = await here.examine();
  return results.filter(({ check: id }) => id === 'others');
}

for (const [what, runner, file, text, line, says] of problems)
  check(`a problem: ${what}`, async () => {
    const here = world('none');
    here.write(file, text);
    const { status, stderr } = policy(['install', runner, '--user', '--yes', '--deadline', '25'], {
      cwd: here.project,
      env: { HOME: here.home },
    });
    assert.is(status, 0, stderr);
    const place = `${here.project}/${planted(file)}${line} (`;
    assert.ok(
      stderr.split('\n').some((one) => one.startsWith('PROBLEM: ') && one.includes(place) && says.test(one)),
      stderr,
    );
    const [found, ...more] = await othersIn(here);
    assert.equal(more, []);
    assert.is(found?.level, 'problem');
    assert.ok(found?.message.includes(place) && says.test(found.message), found?.message);
  });

/** [what, runner, file below the home, its text] */
const harmless: readonly (readonly [what: string, runner: string, file: string, text: string])[] = [
  ['a hook after calls', 'claude-code', 'project/.claude/settings.json', withHook('PostToolUse')],
  ['a hook at the end', 'claude-code', 'project/.claude/settings.json', withHook('Stop')],
  ['a hook after calls of Gemini', 'gemini-cli', 'project/.gemini/settings.json', withHook('AfterTool')],
  ['a hook whose rewriting Qwen Code passes over', 'qwen-code', 'project/.qwen/settings.json', withHook('PreToolUse')],
  [
    'our own line, written by hand',
    'claude-code',
    'project/.claude/settings.json',
    withHook('PreToolUse', 'policy hook claude-code'),
  ],
  ['a hook of an agent after calls', 'claude-code', 'project/.claude/agents/x.md', definition('PostToolUse')],
  ['a notification of a skill', 'claude-code', 'project/.claude/skills/x/SKILL.md', definition('Notification')],
  ['our own line in an agent', 'claude-code', 'project/.claude/agents/x.md', definition('PreToolUse', 'policy hook claude-code')],
  ['a skill that tells of hooks', 'claude-code', 'project/.claude/skills/x/SKILL.md', '---\nname: x\n---\nhooks: PreToolUse\n'],
  ['a file beside a skill', 'claude-code', 'project/.claude/skills/x/notes.txt', definition('PreToolUse')],
  ['a hook of Cursor after a call', 'cursor', 'project/.cursor/hooks.json', cursorHook('afterFileEdit')],
  ['a hook of Cursor at the end', 'cursor', 'project/.cursor/hooks.json', cursorHook('stop')],
  ['a configuration without plugins', 'opencode', 'project/opencode.json', '{ "model": "x", "plugin": [] }'],
  ['a file that is no program', 'opencode', 'project/.opencode/plugins/README.md', 'tool.execute.before'],
];

for (const [what, runner, file, text] of harmless)
  check(`nothing to say: ${what}`, async () => {
    const here = world('none');
    here.write(file, text);
    here.install(runner, '--user');
    assert.equal(await othersIn(here), []);
  });

/** [what, runner, file below the home, its text] */
const persons: readonly (readonly [what: string, runner: string, file: string, text: string])[] = [
  ['a hook of the person', 'claude-code', '.claude/settings.json', withHook('PreToolUse')],
  ['an answer of the person', 'claude-code', '.claude/settings.json', withHook('PermissionRequest')],
  ['a hook of the person in Cursor', 'cursor', '.cursor/hooks.json', cursorHook('preToolUse')],
  ['a plugin of the person', 'opencode', '.config/opencode/plugins/x.js', 'export {}'],
  ['a named plugin of the person', 'opencode', '.config/opencode/opencode.json', '{ "plugin": ["x"] }'],
];

for (const [what, runner, file, text] of persons)
  check(`a note: ${what}`, async () => {
    const here = world('none');
    here.write(file, text);
    here.install(runner, '--user');
    assert.equal(
      (await othersIn(here)).map(({ level }) => level),
      ['note'],
    );
  });

check('our own plugin and hooks of a project are none', async () => {
  for (const runner of ['opencode', 'claude-code', 'codex', 'gemini-cli', 'copilot-cli', 'qwen-code', 'cursor']) {
    const here = world('none');
    here.install(runner, '--project');
    assert.equal(await othersIn(here), [], runner);
  }
});

check('what a project writes is shown bounded, and made visible', async () => {
  const here = world('none');
  const command = `x\\u001b[31m${'y'.repeat(5000)}`;
  const hooks = Array.from({ length: 100 }, () => `{ "type": "command", "command": "${command}" }`);
  here.write('project/.claude/settings.json', `{ "hooks": { "PreToolUse": [{ "hooks": [${hooks.join()}] }] } }`);
  here.install('claude-code', '--user');
  const found = await othersIn(here);
  assert.is(found.length, 16);
  assert.ok(found.every(({ message }) => message.length < 600));
  const { stdout, stderr } = policy(['doctor', 'claude-code'], { cwd: here.project, env: { HOME: here.home } });
  assert.not.match(stdout + stderr, /\x1b/);
});

test.run();
