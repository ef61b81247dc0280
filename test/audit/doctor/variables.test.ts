// Variables that a project sets for the runner and that a shell obeys before it reads the hook's line: a PROBLEM with file and line.
import { spawnSync } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { insideAgent, policy } from '../../cli/spawned.js';
import { world } from './doctor-world.js';

const test = suite('doctor-variables');
const check = insideAgent ? test.skip : test;

const settings = (name: string) => `{\n  "env": {\n    "CI": "1",\n    "${name}": "x"\n  }\n}\n`;

const problems: readonly (readonly [what: string, runner: string, file: string, text: string, line: number])[] = [
  ['a shell that reads nothing', 'claude-code', '.claude/settings.json', settings('SHELLOPTS'), 4],
  ['a file that bash reads first', 'claude-code', '.claude/settings.local.json', settings('BASH_ENV'), 4],
  ['a function of bash', 'claude-code', '.claude/settings.json', settings('BASH_FUNC_exit%%'), 4],
  ['a program that is given the line', 'claude-code', '.claude/settings.json', settings('CLAUDE_CODE_SHELL_PREFIX'), 4],
  ['a file that is read before each command', 'claude-code', '.claude/settings.json', settings('CLAUDE_ENV_FILE'), 4],
  ['another shell', 'claude-code', '.claude/settings.local.json', settings('SHELL'), 4],
  ['a program of git', 'claude-code', '.claude/settings.json', settings('GIT_EXTERNAL_DIFF'), 4],
  ['settings of Qwen Code', 'qwen-code', '.qwen/settings.json', settings('BASH_ENV'), 4],
  ['a library', 'claude-code', '.claude/settings.json', settings('LD_PRELOAD'), 4],
  ['variables of Gemini CLI', 'gemini-cli', '.gemini/.env', 'A=1\nexport BASH_ENV=./x\n', 2],
  ['of the project', 'gemini-cli', '.env', 'SHELLOPTS = noexec\n', 1],
  ['another home', 'gemini-cli', '.env', 'A=1\nGEMINI_CLI_HOME=./fakehome\n', 2],
  ["another home, in the client's folder", 'gemini-cli', '.gemini/.env', 'export GEMINI_CLI_HOME=./fakehome\n', 1],
  ['settings of the system', 'gemini-cli', '.env', 'GEMINI_CLI_SYSTEM_SETTINGS_PATH=./s.json\n', 1],
  ['what the system presets', 'gemini-cli', '.env', 'GEMINI_CLI_SYSTEM_DEFAULTS_PATH=./s.json\n', 1],
  ['folders that are trusted', 'gemini-cli', '.env', 'GEMINI_CLI_TRUSTED_FOLDERS_PATH=./t.json\n', 1],
  ['a command of an editor', 'gemini-cli', '.env', 'GEMINI_CLI_IDE_SERVER_STDIO_COMMAND=./x\n', 1],
  ['a command beside a sandbox', 'gemini-cli', '.env', 'GEMINI_SANDBOX_PROXY_COMMAND=./x\n', 1],
  ['the sign on the next line', 'gemini-cli', '.env', 'A=1\nGEMINI_CLI_HOME\n = ./fakehome\n', 2],
  ['a line that a return alone ends', 'gemini-cli', '.env', 'A=1\rGEMINI_CLI_HOME=./fakehome\n', 1],
  ['a line that a separator ends', 'gemini-cli', '.env', 'A=1\u2028GEMINI_CLI_HOME=./fakehome\n', 1],
  ['a container', 'gemini-cli', '.env', 'GEMINI_SANDBOX=docker\n', 1],
  ['a file that the client writes', 'gemini-cli', '.env', 'GEMINI_API_KEY=x\nGEMINI_WRITE_SYSTEM_MD=~/.bashrc\n', 2],
  ['another server', 'gemini-cli', '.gemini/.env', 'GOOGLE_GEMINI_BASE_URL=http://x\n', 1],
  ['a proxy', 'gemini-cli', '.env', 'https_proxy=http://x\n', 1],
  ['no check of certificates', 'qwen-code', '.env', 'NODE_TLS_REJECT_UNAUTHORIZED=0\n', 1],
  ['a file that Qwen Code writes', 'qwen-code', '.env', 'QWEN_WRITE_SYSTEM_MD=~/.bashrc\n', 1],
  ['the same in its settings', 'qwen-code', '.qwen/settings.json', settings('QWEN_WRITE_SYSTEM_MD'), 4],
  ['another server of Qwen Code', 'qwen-code', '.qwen/settings.json', settings('OPENAI_BASE_URL'), 4],
  ['another home of Qwen Code', 'qwen-code', '.env', 'QWEN_HOME=./x\n', 1],
  ['variables of Qwen Code', 'qwen-code', '.qwen/.env', 'ENV=./x\n', 1],
];

for (const [what, runner, file, text, line] of problems)
  check(`${what}: ${file} of ${runner}`, async () => {
    const here = world('none');
    here.write(`project/${file}`, text);
    here.install(runner, '--user');
    const { results } = await here.examine();
    const said = results.filter((result) => result.check === 'variables');
    assert.is(said.length, 1);
    assert.is(said[0]?.level, 'problem');
    assert.match(said[0]?.message ?? '', `${file}:${line} sets `);
    const { stderr } = policy(['install', runner, '--user', '--yes'], { cwd: here.project, env: { HOME: here.home } });
    assert.match(stderr, `PROBLEM: ${here.project}/${file}:${line} sets`);
  });

const harmless: readonly (readonly [runner: string, file: string, text: string])[] = [
  ['claude-code', '.claude/settings.json', settings('NODE_ENV')],
  ['claude-code', '.claude/settings.json', settings('CLAUDE_CODE_MAX_OUTPUT_TOKENS')],
  ['claude-code', '.claude/settings.json', settings('GIT_PAGER')],
  ['claude-code', '.claude/settings.json', '{ "env": "SHELLOPTS" }'],
  ['claude-code', '.claude/settings.json', '{ broken'],
  ['claude-code', '.env', 'BASH_ENV=x\n'],
  ['gemini-cli', '.env', '# BASH_ENV=x\nMY_ENV=1\n'],
  ['gemini-cli', '.env', '# GEMINI_CLI_HOME=x\nGEMINI_API_KEY=x\nMY_GEMINI_CLI_HOME=x\nGOOGLE_CLOUD_PROJECT=x\n'],
  ['gemini-cli', '.env', 'NODE_ENV=test\nDATABASE_URL=x\nGOOGLE_CLIENT_SECRET=x\nAWS_REGION=x\nPORT=1\nDEBUG=x\n'],
  ['qwen-code', '.env', 'OPENAI_API_KEY=x\nOPENAI_MODEL=x\nDASHSCOPE_API_KEY=x\nNODE_ENV=test\nGITHUB_TOKEN=x\n'],
];

for (const [runner, file, text] of harmless)
  check(`nothing to say: ${JSON.stringify(text)} in ${file} of ${runner}`, async () => {
    const here = world('none');
    here.write(`project/${file}`, text);
    here.install(runner, '--user');
    const { results } = await here.examine();
    assert.equal(
      results.filter((result) => result.check === 'variables'),
      [],
    );
  });

test('what it is about: bash called as sh reads no line with such a variable', () => {
  const { status, stdout } = spawnSync('bash', ['--posix', '-c', 'echo read; exit 2'], {
    env: { SHELLOPTS: 'noexec' },
    encoding: 'utf8',
  });
  assert.equal([status, stdout], [0, '']);
});

test.run();
