/** Shows a stranger's command or address on one line of a report. */
import { maskText } from '../../log/record/mask-text.js';

const LONGEST = 80;
const MOST_MASKED = 8_192;

/**
 * Removes secrets, reduces addresses to scheme and host (the rest may be a secret), and cuts the text to 80 characters. It is
 * masked before it is cut.
 */
export function shownCommand(text: string): string {
  const short = withoutSecrets(text);
  return short.length > LONGEST ? `${short.slice(0, LONGEST)}…` : short;
}

/** The same without cutting the text. */
export function withoutSecrets(text: string): string {
  const start = text
    .slice(0, MOST_MASKED)
    .replace(/\b([a-z][a-z+]{1,15}:\/\/)(?:[^\s/@'"]{0,256}@)?([^\s/?#@'"]{1,256})([/?#][^\s'"]*)?/gi, address);
  return maskText(start);
}

function address(_: string, scheme: string, host: string, rest: string | undefined): string {
  return `${scheme}${host}${rest === undefined || rest === '/' ? (rest ?? '') : '/…'}`;
}
