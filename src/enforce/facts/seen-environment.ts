/**
 * The environment that a tool will run in, as a hook can see it. The installed command line starts the hook with an empty
 * environment of its own (docs/guarantees.md, 2), so the runner's has to come by another way.
 */
import { readFileSync } from 'node:fs';
import { UNSEEN_ENVIRONMENT } from '../../decide/guards/environment.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What stands for an environment that cannot be seen: it may hold anything that makes programs run others. */
const UNSEEN: Environment = { [UNSEEN_ENVIRONMENT]: 'could not be read' };

/**
 * The environment that the parent process was started with (Linux), together with that of its own parent: the installed line is
 * run by a shell, and dash passes on no variable whose name is none to it, such as a function that bash exported. What both
 * have, but not alike, counts as a list of both.
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

/** 0 for a process that has none. `pid (name) state parent …`: the name may hold anything. */
function parentOf(process: number): number {
  const stat = readFileSync(`/proc/${process}/stat`, 'utf8');
  const [, , parent = ''] = stat.slice(stat.lastIndexOf(')')).split(' ');
  if (!/^\d+$/.test(parent)) throw new Error(`/proc/${process}/stat cannot be read`);
  return Number(parent);
}

/** `export NAME='value'`, `declare -rx NAME="value"`; of zsh also a list that is tied to a variable: `export -T NAME list=( a b )`. */
const PRINTED =
  /^(?:export|declare|typeset)(?: -[A-Za-z0-9]+)* ([A-Za-z_][A-Za-z0-9_]*)(?:=(.*)| [A-Za-z_][A-Za-z0-9_]*=(.*))?$/s;

/** What `env` prints of a function that bash exported; Apple's bash has a spelling of its own. */
const FUNCTION = /^((?:__)?BASH_FUNC[^=]+)=(.*)$/s;

/**
 * The environment that `export -p` printed, and the functions that `env` did. A value with line breaks may look like further lines; those only add names, and of a
 * name that comes twice the value counts that is a list of both, so that nothing can hide behind another line. No shell prints
 * nothing: then it could not print.
 */
export function exportedEnvironment(text: string | undefined): Environment {
  const found: Record<string, string> = Object.create(null);
  for (const line of (text ?? '').split('\n')) {
    const [, name, value, list] = PRINTED.exec(line) ?? FUNCTION.exec(line) ?? [];
    if (name === undefined) continue;
    const whole = list === undefined ? unquoted(value ?? '') : listed(list);
    found[name] = name in found ? `${found[name]}:${whole}` : whole;
  }
  return Object.keys(found).length === 0 ? UNSEEN : found;
}

/** `( /bin /usr/bin )` as the variable's own text, where no word of it is quoted; else as it is. */
function listed(list: string): string {
  return /^\( (?:[\w@%+:./-]+ )*\)$/.test(list) ? list.slice(2, -2).replaceAll(' ', ':') : list;
}

/** Without the quotes around it; what is quoted otherwise stays as it is and so equals no harmless value. */
function unquoted(value: string): string {
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
