/**
 * The runners that are also told on standard output when the hook fails, each with the form of its denial. Claude Code shows
 * standard error only after the whole command line of the hook, Gemini CLI shows it to the model only, Copilot CLI to nobody.
 * Gemini CLI obeys the JSON whatever the exit code, so a program that printed `{}` and failed let the call pass. The hook
 * therefore answers these runners on a separate descriptor (ANSWER), and anything that another program prints in its place is
 * discarded. (e2e: Claude Code 2.1.197 and 2.1.330, Gemini CLI 0.61.0, Copilot CLI 1.0.102.)
 */
import type { RunnerId } from '../../call/tool-call.js';
import { copilotVerdict, geminiDenial, jsonDenial } from './runner.js';

export const STDOUT_FAILURES: ReadonlyMap<string, (message: string) => string> = new Map<RunnerId, (message: string) => string>([
  ['claude-code', jsonDenial],
  ['gemini-cli', geminiDenial],
  ['copilot-cli', (message) => copilotVerdict('deny', message)],
]);

/**
 * Variables that can make the hook's shell, the loader of its programs, or a prefix command of the runner print text of its own
 * to standard output: startup files and functions of bash, and variables of the loader (`LD_SHOW_AUXV`, `LD_PRELOAD`).
 */
const NOISY = /^(?:BASH_ENV|BASH_XTRACEFD|BASH_FUNC_.*|CLAUDE_CODE_SHELL_PREFIX|(?:LD|DYLD)_.*)$/s;

/**
 * True if standard output can contain nothing but the answer. With text before it, the runner would not recognize the answer, and
 * would take that for consent. As the outermost shell (SHLVL) with a socket as input, as node provides it, bash first runs
 * `.bashrc`; other shells do not set `_`.
 * @param environment as the shell of the line passes it on
 */
export function isAnswerAlone({ SHLVL = '', _: started, ...rest }: Readonly<Record<string, string | undefined>>): boolean {
  const byOther = started !== undefined && !/^\/usr\/bin\/(?:timeout|perl|env)\b/.test(started);
  return (
    (byOther || Number.parseInt(SHLVL, 10) > 1) && Object.entries(rest).every(([name, value]) => !value || !NOISY.test(name))
  );
}
