/** `policy mcp`: MCP servers behind the policy. */
import { homedir } from 'node:os';
import { basename, resolve } from 'node:path';
import { ASSUMED_RUNNER, RUNNERS } from '../../call/tool-call.js';
import { realPath } from '../../disk/real-path.js';
import { defaultUserDirectory } from '../../disk/user-directory.js';
import { compileAndStore } from '../../enforce/snapshot/store.js';
import { judgeOf } from '../../gateway/judge.js';
import { DENIAL_FORMS } from '../../gateway/session.js';
import { serveStdio } from '../../gateway/stdio.js';
import { policyFolder } from '../../project/policy-folder.js';
import { projectOf } from '../../project/project.js';
import { stateDirectoryOf } from '../place/where.js';
import { UsageError } from '../terminal/exit.js';
import { warn } from '../terminal/terminal.js';
import { type Arguments, choiceFlag, textFlag, textFlags } from '../words/arguments.js';
import type { Takes } from '../words/command.js';

const SERVER = 'The server:';
const WHERE = 'Folders:';

export const takes: Takes = {
  arguments: {
    action: { choices: ['gateway'], describe: 'What to do' },
    words: { array: true, describe: 'Behind `--`: the command of the server, with its arguments' },
  },
  options: {
    server: {
      value: 'NAME',
      default: "from the command's last word",
      describe: 'Its name in rules: mcp__NAME__tool',
      group: SERVER,
    },
    env: { value: 'NAME', describe: 'Give the server this variable, too; may be repeated', group: SERVER },
    agent: { value: 'AGENT', default: 'the main agent', describe: 'The agent that the calls come from' },
    runner: { choices: RUNNERS, default: ASSUMED_RUNNER, describe: 'The coding-agent program that starts this' },
    'deny-as': {
      choices: DENIAL_FORMS,
      default: 'result',
      describe: 'A denial is a result with the reason, an error of the protocol, or the answer of a server without that tool',
    },
    project: { value: 'DIR', default: 'where it is started', describe: 'The project whose policy applies', group: WHERE },
    'config-dir': { value: 'DIR', default: '~/.config/policy', describe: "The user's own policy", group: WHERE },
    'state-dir': { value: 'DIR', default: '~/.local/state/policy', describe: 'The decision log and the snapshots', group: WHERE },
    'managed-dir': { value: 'DIR', default: '/etc/policy', describe: 'The managed policy', group: WHERE },
  },
};

/** Serves until the client leaves (exit code 0) or the server ends. Throws UsageError before anything was started. */
export async function run(args: Arguments): Promise<number> {
  const [command, ...words] = wordsBehindDashes();
  if (command === undefined)
    throw new UsageError('Which server? Its command goes behind --: policy mcp gateway -- npx some-server');
  const server = textFlag(args, 'server') ?? serverName([command, ...words]);
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(server) || server.includes('__'))
    throw new UsageError(`--server is a short name of letters, digits, - and _, not ${JSON.stringify(server)}`);
  const cwd = realPath(resolve('.')) ?? resolve('.');
  const project = projectOf(realPath(resolve(textFlag(args, 'project') ?? '.')) ?? cwd);
  const parent = process.ppid;
  const judge = judgeOf({
    places: {
      project,
      folder: policyFolder(project, cwd),
      home: homedir(),
      platform: process.platform,
      runner: choiceFlag(args, 'runner', RUNNERS) ?? ASSUMED_RUNNER,
      userDirectory: resolve(textFlag(args, 'config-dir') ?? defaultUserDirectory(process.env, homedir())),
      managedDirectory: resolve(textFlag(args, 'managed-dir') ?? '/etc/policy'),
      stateDirectory: stateDirectoryOf(args),
      run: null,
    },
    server,
    agent: textFlag(args, 'agent') ?? null,
    environment: process.env,
    cwd,
    parent,
    isUnheard: () => process.ppid !== parent,
    compile: compileAndStore,
  });
  return await serveStdio({
    judge,
    server,
    denyAs: choiceFlag(args, 'deny-as', DENIAL_FORMS) ?? 'result',
    warn: (why) => warn(`policy mcp gateway ${server}: ${why}`),
    command,
    words,
    cwd,
    environment: process.env,
    named: textFlags(args, 'env'),
  });
}

function wordsBehindDashes(): readonly string[] {
  const dashes = process.argv.indexOf('--');
  return dashes < 0 ? [] : process.argv.slice(dashes + 1);
}

/** Folders and files of a package that say nothing about the server in it. */
const SAYS_NOTHING: ReadonlySet<string> = new Set('bin build cli dist index lib main mcp out server src start'.split(' '));

/** `npx -y @modelcontextprotocol/server-filesystem@1 /tmp` → `filesystem`: the name of the package or program. */
function serverName(words: readonly string[]): string {
  const isStarter = /^(?:npx|bunx|uvx|node|deno|bun|python3?)(?:\.\w+)?$/.test(basename(words[0] ?? ''));
  const [program = ''] = words.slice(isStarter ? 1 : 0).filter((word) => !word.startsWith('-') && word !== 'run');
  const parts = program.split(/[\\/]/).map((part) => part.replace(/(?<=.)@.*$/, '').replace(/\.\w+$/, ''));
  const name = parts.reverse().find((part) => !SAYS_NOTHING.has(part)) ?? '';
  return name.replace(/^(?:mcp-)?server-|-mcp(?:-server)?$|^mcp-|-server$/g, '') || name;
}
