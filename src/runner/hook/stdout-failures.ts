/**
 * Clients that are told on standard output, too, when the hook fails, each with the form of its denial. Claude Code shows standard error
 * only behind the whole command line of the hook, Gemini CLI shows it to the model alone, Copilot CLI to nobody. Gemini CLI takes JSON
 * by its own words beside any exit code, so that a program that printed `{}` and failed let the call pass. The hook answers them
 * on a descriptor of its own (ANSWER): what another program prints in its place is lost. (e2e: Claude Code 2.1.197 and 2.1.330, Gemini
 * CLI 0.61.0, Copilot CLI 1.0.102.)
 */
import type { RunnerId } from '../../call/tool-call.js';
import { copilotVerdict, geminiDenial, jsonDenial } from './runner.js';

export const STDOUT_FAILURES: ReadonlyMap<string, (message: string) => string> = new Map<RunnerId, (message: string) => string>([
  ['claude-code', jsonDenial],
  ['gemini-cli', geminiDenial],
  ['copilot-cli', (message) => copilotVerdict('deny', message)],
]);

/**
 * Variables with which the shell of a hook, the loader of its programs, or what a client starts in front of it, prints text of its own to
 * standard output: files and functions of bash, and whatever the loader obeys (`LD_SHOW_AUXV`, `LD_PRELOAD`).
 */
const NOISY = /^(?:BASH_ENV|BASH_XTRACEFD|BASH_FUNC_.*|CLAUDE_CODE_SHELL_PREFIX|(?:LD|DYLD)_.*)$/s;

/**
 * True when nothing but the answer can stand on standard output. Text before it would make it no answer, and that passes for consent.
 * bash that is the outermost shell (SHLVL) and reads a socket, as node gives it, runs `.bashrc` first; another shell does not set `_`.
 * @param environment as the shell of the line hands it down
 */
export function isAnswerAlone({ SHLVL = '', _: started, ...rest }: Readonly<Record<string, string | undefined>>): boolean {
  const byOther = started !== undefined && !/^\/usr\/bin\/(?:timeout|perl|env)\b/.test(started);
  return (
    (byOther || Number.parseInt(SHLVL, 10) > 1) && Object.entries(rest).every(([name, value]) => !value || !NOISY.test(name))
  );
}
