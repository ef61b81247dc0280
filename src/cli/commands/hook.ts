/** `policy hook RUNNER`: judges one tool call from standard input; or prints the configuration that installs the hook. */
import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { RUNNERS, SHELLS } from '../../call/tool-call.js';
import { defaultUserDirectory } from '../../disk/user-directory.js';
import { defaultStateDirectory } from '../../log/files/directory.js';
import { projectOf } from '../../project/project.js';
import { escapeJson } from '../../report/printing/escape.js';
import { hookCommandLine } from '../../runner/hook/command-line.js';
import type { Runner } from '../../runner/hook/runner.js';
import { ownPrograms } from '../place/own-programs.js';
import { EXIT, type ExitCode, UsageError } from '../terminal/exit.js';
import { print } from '../terminal/terminal.js';
import { type Arguments, choiceFlag, deadlineFlag, switchFlag, textFlag } from '../words/arguments.js';
import type { Takes } from '../words/command.js';
import { runnerOf } from './install.js';

const INSTALL = 'To install it:';
const WHERE = 'Folders (absolute paths; the installed command line names all of them):';
const DIRECTORY = { value: 'DIR', group: WHERE } as const;
const ENVIRONMENTS = ['own', 'parent', 'variable'] as const;

export const takes: Takes = {
  arguments: { runner: { choices: [...RUNNERS], describe: 'The coding-agent program that calls the hook' } },
  options: {
    'print-settings': { describe: "The runner's settings file with the hook in it", group: INSTALL },
    'print-command': { describe: 'The command line of the hook', group: INSTALL },
    deadline: {
      value: 'SECONDS',
      default: '1.5',
      describe: 'With --print-settings or --print-command: a hook that takes longer is stopped, and the call is denied',
      group: INSTALL,
    },
    project: { ...DIRECTORY, default: 'where the call is made', describe: 'The project whose policy applies' },
    'config-dir': { ...DIRECTORY, default: '~/.config/policy', describe: "The user's own policy" },
    'state-dir': { ...DIRECTORY, default: '~/.local/state/policy', describe: 'The decision log and the snapshots' },
    'managed-dir': { ...DIRECTORY, default: '/etc/policy', describe: 'The managed policy' },
    shell: {
      choices: SHELLS,
      default: 'union',
      describe: "The shell that runs the runner's commands; union judges a line as every shell in this list",
    },
    environment: {
      choices: ENVIRONMENTS,
      default: 'own',
      describe:
        'Where to read the environment variables that the call will see: own (this process), parent (its parent process), or variable (POLICY_ENVIRONMENT)',
    },
  },
};

/** Throws UsageError when nothing can be installed from here. Without a --print flag this is the hook itself, like dist/hook.cjs. */
export async function run(args: Arguments): Promise<ExitCode> {
  const runner = runnerOf(args);
  const settings = switchFlag(args, 'print-settings');
  if (!settings && !switchFlag(args, 'print-command')) {
    const [{ answerAsHook }, { compileAndStore }, { sealAtSessionEnd }] = await Promise.all([
      import('../../hook/process.js'),
      import('../../enforce/snapshot/store.js'),
      import('../../enforce/change-log.js'),
    ]);
    const words = process.argv.slice(process.argv.indexOf('hook') + 1);
    const code = answerAsHook(words, { compile: compileAndStore, seal: sealAtSessionEnd, home: homedir });
    return code === 0 ? EXIT.allow : EXIT.ask;
  }
  const command = commandLine(runner, args);
  await print(settings ? printable(runner.settings(command).text) : `${command}\n`);
  return EXIT.allow;
}

/**
 * Escapes unprintable characters in settings: in JSON, TOML and JavaScript only strings can contain any, and all three read the
 * escapes back.
 */
function printable(text: string): string {
  return text.split('\n').map(escapeJson).join('\n');
}

function commandLine(runner: Runner, args: Arguments): string {
  const own = ownPrograms();
  if (own === null) throw new UsageError('This copy of the program is not built: run `npm run build` first');
  const deadline = deadlineFlag(args);
  const home = homedir();
  const project = projectOf(realpathSync.native(resolve(textFlag(args, 'project') ?? process.cwd())));
  const line = hookCommandLine({
    runner: runner.id,
    platform: process.platform,
    node: realpathSync.native(own.node),
    hook: realpathSync.native(own.hook),
    home,
    project,
    configDirectory: resolve(textFlag(args, 'config-dir') ?? defaultUserDirectory(process.env, home)),
    stateDirectory: resolve(textFlag(args, 'state-dir') ?? defaultStateDirectory(process.env, home)),
    shell: choiceFlag(args, 'shell', SHELLS) ?? null,
    ...(deadline !== undefined && { deadline }),
  });
  if (line === null) throw new UsageError('The hook cannot be installed on Windows yet: no shell there would fail closed');
  return line;
}
