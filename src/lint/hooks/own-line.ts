/** Whether a command line starts our hook or calls `policy check`, decided by its words alone. */
import { linesIn, programOf, wordsOf } from './command-line.js';

/** `policy hook claude-code`, also with the path of the program or of its bundle, as any version of this program installs it. */
export function startsPolicyHook(text: string): boolean {
  return callsPolicy(text, 'hook') || /(?:^|[\s'"/])hook\.cjs['"]?(?:\s|$)/.test(text);
}

/** `policy check …` */
export function asksPolicyCheck(text: string): boolean {
  return callsPolicy(text, 'check');
}

function callsPolicy(text: string, subcommand: string): boolean {
  if (!text.includes('policy') || !text.includes(subcommand)) return false;
  return linesIn(text).some(({ invocations }) =>
    invocations.some((invocation) => {
      const words = wordsOf(invocation);
      const at = words.findIndex((word) => /^(?:policy|policy\.js|agent-policy)$/.test(programOf(word)));
      if (at < 0 || words[at + 1]?.value !== subcommand) return false;
      return (
        at === 0 ||
        /^(?:node|npx|bunx|exec)$/.test(programOf(words[0])) ||
        words.slice(0, at).every(({ text: word }) => /^(?:-|\d)|[=/]/.test(word))
      );
    }),
  );
}
