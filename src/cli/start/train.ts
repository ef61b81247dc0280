/**
 * `node train-cli.js BUNDLES CACHE`: writes a code cache of the command line next to its bundle, made after typical command lines have run.
 * It is valid for the Node.js version that runs this program (src/program/code-cache.ts); other versions start without it, only slower.
 */

import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { ASSUMED_RUNNER } from '../../call/tool-call.js';
import { VERSION } from '../../generated/build.js';
import { beginTraining, finishedCaches, training } from '../../hook/code-caches.js';
import { USER_POLICY, writeProject } from '../../hook/training-calls.js';
import { cacheName } from '../../program/code-cache.js';
import { EXIT } from '../terminal/exit.js';
import { sealedCache } from './sealed-cache.js';

const MAIN = 'policy-main';
const RUN = 'policy-run';
/** The gateway's bundles, in the folder above those of the command line. */
const GATEWAY = 'gateway-main';
const JUDGE = 'gateway-judge';
const bundles = resolve(process.argv[2] ?? '');

/** The command lines by bundle. People and scripts mostly wait for single calls; a larger cache takes longer to read. */
const LINES: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'policy-main': [
    ['check', 'Bash', 'git status'],
    ['check', 'Bash', 'cd src && git log -3 --stat | head -3'],
    ['check', '--json', 'Bash', 'git push'],
    ['check', 'Read', 'src/index.ts'],
  ],
  'policy-lint': [['lint'], ['lint', '--format', 'json', '.claude']],
};
const cacheToMake = process.argv[3] ?? MAIN;

/** Files of linted projects that the project of the hook's training lacks: long texts, a mistake, MCP servers, a skill. */
const LINTED: Readonly<Record<string, string>> = {
  '.claude/agents/writer.md': `---
name: writer
description: "Use this agent for the documentation: it reads the code, and it writes pages. Invoke it when an API changed."
tool: Read, Grep, Edit
model: sonnet
---

You write the documentation of this project.

${'- **Pages**: one for each module; keep examples short, and check the key of every table against the API\n'.repeat(40)}`,
  '.claude/agents/tester.md':
    '---\nname: tester\ndescription: Runs the tests.\ntools: Read, Grep, Bash\n---\n\nRun `npm test`.\n',
  '.claude/skills/release/SKILL.md': '---\nname: release\ndescription: Makes a release.\n---\n\nRun `npm version`.\n',
  '.mcp.json': '{ "mcpServers": { "issues": { "command": "npx", "args": ["-y", "issues@1.2.3"] } } }\n',
};

const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'policy-training-')));

async function train(): Promise<void> {
  const project = join(scratch, 'project');
  writeProject(project);
  if (cacheToMake === 'policy-lint') writeFiles(project, LINTED);
  const user = join(scratch, '.config', 'policy');
  mkdirSync(user, { recursive: true });
  writeFileSync(join(user, 'policy.yaml'), `${USER_POLICY}trustedRepos: [${JSON.stringify(project)}]\n`);
  process.env.HOME = scratch;
  process.chdir(project);
  if (cacheToMake === GATEWAY) return trainGateway(project);
  const caches = cacheToMake === RUN ? await trainRun() : await trainMain();
  for (const [, cache] of caches) writeFileSync(join(bundles, `${cacheToMake}.${cacheName()}.cache`), sealedCache(cache));
}

async function trainMain(): Promise<readonly (readonly [string, Buffer])[]> {
  const { main } = started(cacheToMake, bundles) as typeof import('../main.js');
  for (const words of LINES[cacheToMake] ?? []) {
    await main(words);
    if (process.exitCode === EXIT.error) throw new Error(`policy ${words.join(' ')} failed`);
  }
  return finishedCaches();
}

/** A session of the gateway without processes: a list, a call that is allowed, one that is not, and their ends. */
async function trainGateway(project: string): Promise<void> {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  const { compileAndStore } = started('compile', dirname(bundles)) as typeof import('../../enforce/snapshot/store.js');
  const { Session, gatewayOptions, readMessage } = started(
    GATEWAY,
    dirname(bundles),
  ) as typeof import('../../gateway/start/entry.js');
  const { judgeOf, governedTools } = started(JUDGE, dirname(bundles)) as typeof import('../../gateway/start/judging.js');
  gatewayOptions(['--server', 'files', '--', 'npx', '-y', 'server-files', '.']);
  const places = {
    ...{ project, folder: project, home: scratch, platform: process.platform, runner: ASSUMED_RUNNER, run: null },
    userDirectory: join(scratch, '.config', 'policy'),
    managedDirectory: join(scratch, 'managed'),
    stateDirectory: join(scratch, 'state'),
  };
  const own = {
    environment: process.env,
    cwd: project,
    parent: process.ppid,
    isUnheard: () => false,
    compile: compileAndStore,
    warn: () => {},
  };
  // The first session prepares the policy, the second reads it.
  for (let times = 0; times < 2; times += 1) {
    const judge = judgeOf({ places, server: 'files', agent: null, ...own });
    const session = new Session({ judge, server: 'files', denyAs: 'result' });
    const asked = (id: number, method: string, params: object) =>
      session.fromClient(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    const answered = (id: number, result: object) => session.fromServer(JSON.stringify({ jsonrpc: '2.0', id, result }));
    asked(0, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } });
    answered(0, { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } });
    asked(1, 'tools/list', {});
    answered(1, {
      tools: ['read_file', 'list_directory', 'write_file'].map((name) => ({ name, inputSchema: { type: 'object' } })),
    });
    asked(2, 'tools/call', { name: 'read_file', arguments: { path: join(project, 'src/index.ts') } });
    answered(2, { content: [{ type: 'text', text: 'x' }] });
    asked(3, 'tools/call', { name: 'write_file', arguments: { path: join(project, '.env'), content: 'x' } });
  }
  const tools = governedTools({ places, agent: null, ...own }, 'result');
  const made = (id: number, method: string, params: object) =>
    tools.session.fromClient(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
  const read = { name: 'codex_read_file', arguments: { path: 'src/index.ts' } };
  for (const [id, step] of [made(1, 'tools/list', {}), made(2, 'tools/call', read)].entries()) {
    const request = step.to === 'server' ? readMessage(step.text, true) : null;
    if (step.to !== 'server' || request?.kind !== 'request') throw new Error(`request ${id} did not reach the tools`);
    tools.session.fromServer(await tools.server.answer(request, step.verdict ?? null));
  }
  const caches = finishedCaches().filter(([name]) => name === GATEWAY || name === JUDGE);
  if (caches.length !== 2) throw new Error(`there is no cache of ${GATEWAY} or ${JUDGE}`);
  for (const [name, cache] of caches) writeFileSync(join(dirname(bundles), `${name}.${cacheName()}.cache`), cache);
}

/** A mock runner that prints its flags, sends a call through the hook of its settings, and reports that it has done its work. */
const CLIENT = `#!/bin/sh
if [ "$1" = --help ]; then
  printf '  %s\\n' '--settings <file>' --safe-mode '--permission-mode <mode>  default' '--model <model>'
  exit
fi
while [ $# -gt 1 ] && [ "$1" != --settings ]; do shift; done
"$NODE" -p 'JSON.parse(require("fs").readFileSync(process.argv[1])).hooks.PreToolUse[0].hooks[0].command' "$2" >hook.sh
sh hook.sh >/dev/null 2>&1 <<END
{"session_id":"s","cwd":"$PWD","hook_event_name":"PreToolUse","tool_name":"Read","tool_input":{"file_path":"src/index.ts"}}
END
echo '{"type":"system","subtype":"init","session_id":"s","model":"m"}'
echo '{"type":"assistant","message":{"id":"m","content":[{"type":"text","text":"Done."}],"usage":{"input_tokens":1,"output_tokens":1}}}'
echo '{"type":"result","subtype":"success","is_error":false,"result":"Done.","usage":{"input_tokens":1,"output_tokens":1}}'
`;

/**
 * The first run prepares everything, the second is like most runs. If no mock runner can be started (on Windows, without a
 * shell), the cache contains little.
 */
async function trainRun(): Promise<readonly (readonly [string, Buffer])[]> {
  // Imitates the installed package, with the programs of this build.
  const top = join(scratch, 'package');
  mkdirSync(join(top, 'bin'), { recursive: true });
  symlinkSync(dirname(bundles), join(top, 'dist'), 'junction');
  writeFileSync(join(top, 'bin', 'policy.js'), '');
  writeFileSync(join(top, 'package.json'), JSON.stringify({ name: 'agent-policy', version: VERSION }));
  const client = join(scratch, 'client');
  writeFileSync(client, CLIENT, { mode: 0o755 });
  process.env.NODE = process.execPath;
  // The build may run inside a coding agent, but starts no agent; this hides the coding agent from the check.
  Object.defineProperty(process, 'pid', { value: 1 });
  // A file that has just changed is never stored in a snapshot, and reading a snapshot is what has to be trained.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  const rest = ['--runner', ASSUMED_RUNNER, '--program', client, '--retries', '0', '--goal', 'g'];
  const byPreset = ['run', '--preset', 'safe', ...rest];
  const { main } = started(MAIN, join(top, 'dist', 'cli')) as typeof import('../main.js');
  for (const words of [byPreset, byPreset, ['run', 'code-reviewer', ...rest]]) await main(words);
  return finishedCaches();
}

function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** Returns the exports of a bundle, started as in src/hook/cached.ts, but without a cache. */
function started(name: string, folder: string): object {
  const filename = join(folder, `${name}.cjs`);
  const module = { exports: {} };
  const script = new training.Script(readFileSync(filename, 'latin1'), { filename });
  script.runInThisContext()(module.exports, createRequire(filename), module, filename, folder);
  return module.exports;
}

try {
  beginTraining();
  await train();
  process.exitCode = 0;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
