/** Variables that hold nothing, as far as a line shows: `rm -rf "$dir"/*` wipes the disk where nothing set `dir`. */

/** More variables of a line are not looked at. */
const MOST_NAMES = 16;
/** What may set variables without naming them; a text for `eval` that stands in the line names those that it sets. */
const ELSEWHERE = /(?:^|[\s;&|({])(?:(?:source|\.|set|export)[ \t]|eval[ \t](?!\s*'[^']*'\s*(?:$|[;&|)])))/;

/** `unset dir` names a variable, and leaves it empty. */
const UNSETTING = /\bunset(?:[ \t]+-?[A-Za-z_]\w*)+/g;

/** What every shell and login sets; a home is looked at where it stands. */
const ALWAYS_SET =
  /^(?:HOME|PWD|USER|LOGNAME|SHELL|PATH|IFS|UID|EUID|PPID|RANDOM|SRANDOM|SECONDS|LINENO|SHLVL|HOSTNAME|HOSTTYPE|MACHTYPE|OSTYPE|EPOCH\w+|BASH\w*|ZSH\w*)$/;
/** Texts for other shells, which are given arguments of their own. */
const OTHER_SHELL = /[ \t]-[a-z]*[cs](?![\w-])/;

/** Names that a line uses and nowhere sets or speaks of. */
export interface UnsetNames {
  /** Those in small letters: a call is a shell of its own, and its environment names no folder in small letters. Arguments, too. */
  readonly surely: readonly string[];
  /** Those in capitals: the environment may hold them, or not. */
  readonly perhaps: readonly string[];
}

const NONE: UnsetNames = { surely: [], perhaps: [] };

/**
 * The names that nothing in a line sets.
 * @param ofFunctions whether the line defines functions: then `$1` is what they are called with
 */
export function unsetNames(source: string, ofFunctions: boolean): UnsetNames {
  if (ELSEWHERE.test(source)) return NONE;
  const names = new Set<string>();
  for (const [, name = ''] of source.matchAll(/\$\{?([A-Za-z_]\w{0,63}|[1-9@*])(?!\w)/g)) {
    if (names.size >= MOST_NAMES) break;
    if (name !== '_' && !/_proxy$/i.test(name) && !ALWAYS_SET.test(name)) names.add(name === '*' ? '@' : name);
  }
  if (names.size === 0) return NONE;
  const others = source.replace(UNSETTING, '');
  const hasArguments = ofFunctions || OTHER_SHELL.test(source);
  const unset = [...names].filter((name) => (/^\w*[A-Za-z_]/.test(name) ? !isMentioned(others, name) : !hasArguments));
  const isPerhaps = (name: string) => /^[A-Z_]/.test(name);
  return { surely: unset.filter((name) => !isPerhaps(name)), perhaps: unset.filter(isPerhaps) };
}

/** The name stands somewhere without `$` or `${` before it. */
function isMentioned(source: string, name: string): boolean {
  const uses = new RegExp(`(?<![\\w$])(?<!\\$\\{)${name}(?!\\w)`);
  return uses.test(source);
}
