/** The command line of the hook process, parsed without yargs, which would cost more than everything else together. */

import { RUNNERS, SHELLS, type Shell } from '../call/tool-call.js';
import { choiceAdvice } from '../policy/nearest.js';
import type { Runner } from '../runner/hook/runner.js';
import { runnerNamed } from '../runner/runners.js';

export interface HookOptions {
  readonly runner: Runner;
  /** Directories as given; null: taken from the environment, or from the call. */
  readonly project: string | null;
  readonly configDirectory: string | null;
  readonly stateDirectory: string | null;
  readonly managedDirectory: string | null;
  readonly shell: Shell;
  /** The environment that the tool will run in: this process's own, its parent's, or the text of POLICY_ENVIRONMENT. */
  readonly environment: 'own' | 'parent' | 'variable';
  /** The installed line turns every exit except a proved one into a denial, and passes a descriptor that only the answer is written to. */
  readonly isProved: boolean;
}

const ENVIRONMENTS = ['own', 'parent', 'variable'] as const;

/** Returns the options of `policy hook RUNNER …`, or a sentence about what is wrong with them. */
export function hookOptions(words: readonly string[]): HookOptions | string {
  const [name = '', ...rest] = words;
  const runner = runnerNamed(name);
  if (runner === undefined)
    return `policy hook needs the name of a runner, not ${JSON.stringify(name)}; ${choiceAdvice(name, [...RUNNERS])}`;
  const values = new Map<string, string>();
  for (let at = 0; at < rest.length; at += 2) {
    const flag = rest[at] ?? '';
    const value = rest[at + 1];
    if (!FLAGS.has(flag)) return `policy hook has no option ${JSON.stringify(flag)} (it knows ${[...FLAGS].join(', ')})`;
    if (value === undefined || value === '') return `policy hook ${flag} needs a value`;
    if (values.has(flag)) return `policy hook ${flag} is given twice`;
    values.set(flag, value);
  }
  for (const flag of DIRECTORIES) {
    const directory = values.get(flag);
    if (directory !== undefined && !directory.startsWith('/') && !/^[A-Za-z]:[\\/]/.test(directory))
      return `policy hook ${flag} needs an absolute path`;
  }
  if ((values.get('--proof') ?? 'line') !== 'line') return 'policy hook --proof is "line": an installed command line asks for it';
  if ((values.get('--answer') ?? '3') !== '3') return 'policy hook --answer is 3: an installed command line asks for it';
  const shell = SHELLS.find((one) => one === (values.get('--shell') ?? 'union'));
  if (shell === undefined) return `policy hook --shell is one of ${SHELLS.join(', ')}`;
  const environment = ENVIRONMENTS.find((one) => one === (values.get('--environment') ?? 'own'));
  if (environment === undefined) return `policy hook --environment is one of ${ENVIRONMENTS.join(', ')}`;
  return {
    runner,
    project: values.get('--project') ?? null,
    configDirectory: values.get('--config-dir') ?? null,
    stateDirectory: values.get('--state-dir') ?? null,
    managedDirectory: values.get('--managed-dir') ?? null,
    shell,
    environment,
    isProved: values.has('--proof') && values.has('--answer'),
  };
}

const DIRECTORIES = ['--project', '--config-dir', '--state-dir', '--managed-dir'];
const FLAGS: ReadonlySet<string> = new Set([...DIRECTORIES, '--shell', '--environment', '--proof', '--answer']);
