/** Recognises sed programs that change some lines of a file and keep the rest: substitutions, and deletions of addressed lines. */
import { printsOnly } from '../../command/languages/sed-script.js';
import type { ShellWord } from '../../shell/syntax/types.js';

/** Whether all programs of `sed -i` are substitutions or deletions of specific lines, as both GNU sed and macOS sed read them. */
export function changesSomeLines(argv: readonly ShellWord[], platform: string): boolean {
  const words = argv.map(({ value }) => value ?? '');
  const at = words.findIndex((word) => /^(?:-[Ersz]*i|--in-place)$/.test(word));
  const bare = at >= 0 && words[at + 1] === '';
  // On other platforms, the word after `-i` is the extension of a backup copy, and the next one is the program.
  if (platform !== 'linux' && at >= 0 && (!bare || words[at] !== '-i')) return false;
  const script = bare ? (words[at + 2] ?? '') : null;
  if (script !== null) return isChange(script) && printsOnly(script);
  const given = words.flatMap((word, index) => (/^-[Ersz]*e$/.test(word) ? [words[index + 1] ?? ''] : []));
  const scripts = given.length > 0 ? given : [words.slice(1).find((word) => !word.startsWith('-')) ?? ''];
  return scripts.every(isChange);
}

const ADDRESS = /^(?:(\d+|\$)(?:,(\d+|\$))?|\/((?:\\.|[^\\/\n])+)\/)\s*/;
const SUBSTITUTION = /^s([/|#@,:!%~])((?:\\.|(?!\1)[^\\\n])+)\1(?:\\.|(?!\1)[^\\\n])*\1[gIi0-9]*/;
const MAX_SCRIPT = 4096;

function isChange(script: string): boolean {
  if (script.length > MAX_SCRIPT) return false;
  let rest = script.trim();
  do {
    const address = ADDRESS.exec(rest);
    const isCertain = address !== null && !(address[1] === '1' && address[2] === '$') && namesText(address[3] ?? 'x');
    const command = address === null ? rest : rest.slice(address[0].length);
    const found = SUBSTITUTION.exec(command);
    if (found === null && !(isCertain && command.startsWith('d'))) return false;
    if (found !== null && !isCertain && !namesText(found[2] ?? '')) return false;
    const behind = command.slice(found?.[0].length ?? 1).trimStart();
    if (behind === '') return true;
    if (!behind.startsWith(';')) return false;
    rest = behind.slice(1).trimStart();
  } while (rest !== '');
  return true;
}

/** Whether a pattern contains a literal letter or digit: `.*` and `[a-z]*` match everything. */
function namesText(pattern: string): boolean {
  return /[^\s\\]/.test(pattern.replace(/\\[A-Za-z]|\[[^\]]*\]|.\*|\\?[(){}+?|]|[.^$*]/g, ''));
}
