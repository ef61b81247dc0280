/** Rules that a person approved once, for one command exactly as it was. */
import type { ClaudeRule } from './rule.js';

/** Longer exact commands are unlikely to be run again unchanged. */
const LONG = 200;

/** True for an allow of one long command, of a program within the line, or of a fragment of a loop. */
export function isOneOff({ effect, canonical, reach, specifier }: ClaudeRule): boolean {
  if (effect !== 'allow' || canonical !== 'Bash' || specifier === null) return false;
  if (/^(?:for|while|until|if|do|case)\s|^(?:then|else|elif|done|fi|esac)(?=[\s;:]|$)/.test(specifier)) return true;
  if (specifier.includes('<<')) return true;
  if (reach.kind !== 'exact') return false;
  return (
    specifier.length > LONG || /^(?:\S+=\S+ +)*(?:python[\d.]*|node|ruby|perl|php|bash|sh|zsh) (?:-\w+ )*-[ce] ./.test(specifier)
  );
}
