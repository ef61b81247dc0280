/** Rules that a person approved once, for one command as it was then. */
import type { ClaudeRule } from './rule.js';

/** Longer exact commands are not run again as they are. */
const LONG = 200;

/** True for an allow of one long command, a program on the line, or a piece of a loop. */
export function isOneOff({ effect, canonical, reach, specifier }: ClaudeRule): boolean {
  if (effect !== 'allow' || canonical !== 'Bash' || specifier === null) return false;
  if (/^(?:for|while|until|if|do|case)\s|^(?:then|else|elif|done|fi|esac)(?=[\s;:]|$)/.test(specifier)) return true;
  if (specifier.includes('<<')) return true;
  if (reach.kind !== 'exact') return false;
  return (
    specifier.length > LONG || /^(?:\S+=\S+ +)*(?:python[\d.]*|node|ruby|perl|php|bash|sh|zsh) (?:-\w+ )*-[ce] ./.test(specifier)
  );
}
