/**
 * The environment that a tool will run in, as far as the hook can see it. The installed command line starts the hook with a clean
 * environment (docs/guarantees.md, 2), so the runner's environment has to be determined in another way.
 */
import { readFileSync } from 'node:fs';
import { UNSEEN_ENVIRONMENT } from '../../decide/guards/environment.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Represents an environment that cannot be seen: it may contain anything that makes programs run others. */
const UNSEEN: Environment = { [UNSEEN_ENVIRONMENT]: 'could not be read' };

/**
 * Returns the environment that the parent process was started with (Linux), merged with that of its own parent: a shell runs the
 * installed line, and dash drops variables whose names it does not accept, such as functions that bash exported. A variable with
 * different values in both is treated as a list of both values.
 */
export function parentEnvironment(parent: number): Environment {
  try {
    const found = ofPairs(environOf(parent));
    const above = parentOf(parent);
    for (const [name, value] of above > 0 ? Object.entries(ofPairs(environOf(above))) : [])
      found[name] = name in found && found[name] !== value ? `${found[name]}:${value}` : value;
    return found;
  } catch {
    return UNSEEN;
  }
}

function environOf(process: number): string[] {
  return readFileSync(`/proc/${process}/environ`, 'utf8').split('\0');
}

/** Returns the parent's id; 0 if there is none. Format: `pid (name) state parent …`, where the name may contain any character. */
function parentOf(process: number): number {
  const stat = readFileSync(`/proc/${process}/stat`, 'utf8');
  const [, , parent = ''] = stat.slice(stat.lastIndexOf(')')).split(' ');
  if (!/^\d+$/.test(parent)) throw new Error(`/proc/${process}/stat cannot be read`);
  return Number(parent);
}

/**
 * Matches `export NAME='value'` and `declare -rx NAME="value"`; for zsh also a list that is tied to a variable:
 * `export -T NAME list=( a b )`.
 */
const PRINTED =
  /^(?:export|declare|typeset)(?: -[A-Za-z0-9]+)* ([A-Za-z_][A-Za-z0-9_]*)(?:=(.*)| [A-Za-z_][A-Za-z0-9_]*=(.*))?$/s;

/** Matches a function that bash exported, as `env` prints it; Apple's bash spells it differently. */
const FUNCTION = /^((?:__)?BASH_FUNC[^=]+)=(.*)$/s;

/**
 * Returns the environment that `export -p` printed, with the functions that `env` printed. A multi-line value may look like
 * further lines; these only add names. If a name occurs twice, its value is a list of both values, so that no line can hide
 * another. Every shell prints something: an empty text means that the environment could not be printed.
 */
export function exportedEnvironment(text: string | undefined): Environment {
  const found: Record<string, string> = Object.create(null);
  for (const line of (text ?? '').split('\n')) {
    const [, name, value, list] = PRINTED.exec(line) ?? FUNCTION.exec(line) ?? [];
    if (name === undefined) continue;
    const whole = list === undefined ? withoutOuterQuotes(value ?? '') : listed(list);
    found[name] = name in found ? `${found[name]}:${whole}` : whole;
  }
  return Object.keys(found).length === 0 ? UNSEEN : found;
}

/** Turns `( /bin /usr/bin )` into the variable's own value if no word in it is quoted; else returns it unchanged. */
function listed(list: string): string {
  return /^\( (?:[\w@%+:./-]+ )*\)$/.test(list) ? list.slice(2, -2).replaceAll(' ', ':') : list;
}

/** Removes the quotes around a value; other quoting stays, so the value equals no harmless one. */
function withoutOuterQuotes(value: string): string {
  return /^'[^']*'$|^"[^"\\$`]*"$/.test(value) ? value.slice(1, -1) : value;
}

function ofPairs(pairs: readonly string[]): Record<string, string> {
  const found: Record<string, string> = Object.create(null);
  for (const pair of pairs) {
    const equals = pair.indexOf('=');
    if (equals > 0) found[pair.slice(0, equals)] = pair.slice(equals + 1);
  }
  return found;
}
