/** Decides when a value in a settings file is a problem or a note: the conditions that rules/risky-settings.yaml names with `if`. */
import { posix } from 'node:path';
import { isList, type JsonValue } from '../../disk/json-text.js';
import { data } from '../../generated/data.js';
import { readsOnly } from '../model/reads-only.js';

export type Weight = 'problem' | 'note' | null;

/** The place to which the settings apply. */
export interface SettingPlace {
  readonly project: string;
  readonly home: string;
}

/** Applies a condition to a value. A list of values holds when one of them is the value. */
export function weightOf(
  value: JsonValue,
  wanted: string | boolean | readonly (string | boolean)[],
  place: SettingPlace,
): Weight {
  const known = typeof wanted === 'string' && Object.hasOwn(CONDITIONS, wanted) ? CONDITIONS[wanted] : undefined;
  if (known !== undefined) return known(value, place);
  const values: readonly unknown[] = Array.isArray(wanted) ? wanted : [wanted];
  return values.includes(value) ? 'problem' : null;
}

type Condition = (value: JsonValue, place: SettingPlace) => Weight;

const ofText =
  (weigh: (text: string, place: SettingPlace) => Weight): Condition =>
  (value, place) =>
    typeof value === 'string' && value.trim() !== '' ? weigh(value.trim(), place) : null;

const CONDITIONS: Readonly<Record<string, Condition>> = {
  any: (value) => ((typeof value === 'string' && value !== '') || typeof value === 'number' || value === true ? 'problem' : null),
  'all-calls': ofText((text) => (ALL_CALLS.test(text) ? 'problem' : null)),
  'any-program': ofText(wideRule),
  'any-tool': ofText((text) => (/^mcp__\*+$/.test(text) ? 'note' : null)),
  'outside-sandbox': ofText(excluded),
  address: ofText((text) => (isOfThisMachine(text) ? 'note' : 'problem')),
  'every-command': ofText((text) => (cursorCommand(text) === '' ? 'problem' : null)),
  'begins-program': ofText((text) => weightOfProgram(cursorCommand(text) ?? '')),
  'every-server': ofText((text) => (/^(?:Mcp\(\*+:\*+\)|\*+:\*+)$/.test(text) ? 'note' : null)),
  'search-path': ofText((text) => (/^\$(?:PATH|\{PATH\})(?::|$)/.test(text) ? 'note' : 'problem')),
  outside: ofText(outside),
  'without-defaults': (value) => (isList(value) && !value.includes('$defaults') ? 'problem' : null),
};

/** A rule of the runner that limits nothing: `*`, `Bash`, `Bash(*)`, `Bash(:*)`. Reading and searching alone is not reported. */
const ALL_CALLS = /^(?:\*|(?:Bash|PowerShell|Monitor)(?:\(\s*(?:\*{1,2}|:\*)\s*\))?)$/;

/** Programs that are a shell, or start any other: a rule about all of their calls covers every command. */
const SHELLS: ReadonlySet<string> = new Set(
  'bash sh zsh dash ksh fish pwsh powershell cmd eval exec env xargs command nohup timeout sudo doas su ssh'.split(' '),
);

/** `Bash(python3:*)`, `Bash(node *)`: any code, by way of one program. */
function wideRule(text: string): Weight {
  const words = /^(?:Bash|PowerShell|Monitor)\(\s*(\S[^()]*?)\s*:?\*+\s*\)$/.exec(text)?.[1];
  return words === undefined ? null : weightOfProgram(words);
}

/**
 * Returns the command that an entry of a list of Cursor stands for, whatever follows it: `Shell(git)`, `Shell(curl:*)`, in its
 * permissions file just `git`. Empty for any command; null if the arguments are limited, or the entry is about something else.
 */
function cursorCommand(text: string): string | null {
  const [, kind, inner = ''] = /^(\w+)\((.*)\)$/s.exec(text) ?? [];
  if (kind !== undefined && kind !== 'Shell') return null;
  const entry = (kind === undefined ? text : inner).trim();
  const [program = '', ...limits] = entry.split(':');
  if (!limits.every((limit) => /^\s*\*+\s*$/.test(limit))) return null;
  return program.replace(/[\s*]+$/, '');
}

function weightOfProgram(words: string): Weight {
  const name = words.replace(/^\S*\//, '').replace(/\s+/g, ' ');
  if (SHELLS.has(name)) return 'problem';
  const { interpreter } = data('wide-commands') as { readonly interpreter: readonly string[] };
  return interpreter.includes(name) ? 'note' : null;
}

/** A command that runs outside of the sandbox, where only reading is harmless: `docker *`. */
function excluded(text: string, place: SettingPlace): Weight {
  return readsOnly(text, place) ? 'note' : 'problem';
}

const LONGEST_ADDRESS = 2_048;

/** Whether it is an address of this machine, with or without a scheme. */
export function isOfThisMachine(text: string): boolean {
  if (text.length > LONGEST_ADDRESS) return false;
  try {
    const { hostname } = new URL(/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`);
    return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname);
  } catch {
    // Not an address: its target is unknown.
    return false;
  }
}

/**
 * A folder outside of the project: a note if it is beside the project, a problem for any other, including one that contains the project.
 */
function outside(text: string, { project, home }: SettingPlace): Weight {
  if (/^\$/.test(text)) return 'problem';
  const folder = posix.resolve(
    project,
    text.replace(/^~(?=\/|$)/, () => home),
  );
  if (folder === project || folder.startsWith(`${project}/`)) return null;
  const parent = posix.dirname(project);
  const isBeside = posix.dirname(folder) === parent && parent !== '/' && parent !== home;
  return isBeside && text.startsWith('../') ? 'note' : 'problem';
}
