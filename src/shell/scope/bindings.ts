/**
 * Variables whose value is known, or known to be harmless, at the place where a word uses them: set by the line itself in a part
 * that certainly ran, or set by the shell and public. Every other variable may hold anything, even a secret.
 */

import type { ParsedScript } from '../syntax/parser.js';
import type { DataSource } from '../syntax/types.js';
import { type AssignedNames, assignedNames } from './assigned-names.js';
import type { Binding } from './binding.js';
import { isOwnVariable } from './variables.js';

const DIGITS: Binding = { kind: 'digits' };
const NUMBER: Binding = { kind: 'number' };
const TEXT: Binding = { kind: 'text' };

/** Public values that the shell itself maintains; a variable that is not listed may hold a secret. */
const FIGURES: ReadonlyMap<string, Binding> = new Map<string, Binding>([
  ...['?', '#', '$'].map((name): [string, Binding] => [name, DIGITS]),
  ['HOME', { kind: 'text', source: { kind: 'home' } }],
  // The process ID of the last background job, or nothing.
  ['!', { kind: 'text', source: { kind: 'processes' } }],
  ...['PWD', 'OLDPWD', 'USER', 'LOGNAME', 'SHELL', 'HOSTNAME', 'LANG', 'TERM', 'PATH', 'TMPDIR'].map(
    (name): [string, Binding] => [name, TEXT],
  ),
  ...['UID', 'EUID', 'PPID', 'SHLVL', 'OSTYPE', 'HOSTTYPE', 'MACHTYPE', 'BASH_VERSION', 'ZSH_VERSION', 'COLUMNS', 'LINES'].map(
    (name): [string, Binding] => [name, TEXT],
  ),
  // Common settings that programs read, and directories of tools.
  ...[
    'NODE_ENV',
    'CI',
    'EDITOR',
    'VISUAL',
    'PAGER',
    'TZ',
    'LC_ALL',
    'VIRTUAL_ENV',
    'JAVA_HOME',
    'GOPATH',
    'GOROOT',
    'NVM_DIR',
  ].map((name): [string, Binding] => [name, TEXT]),
]);

const NONE: ReadonlyMap<string, Binding> = new Map();
/** At most this many variables of a line are followed: every binding creates a new map. */
const MAX_BOUND = 32;

/** The bindings at the place being read; the readers of branches and subshells restore them afterwards. */
export class Bindings {
  private bound = NONE;
  private script: ParsedScript | null = null;
  private text = '';
  private names: AssignedNames | null = null;

  /** Sets the whole script: only a search of all of it shows what may be assigned elsewhere. */
  begin(script: ParsedScript, text: string): void {
    if (this.script !== null) return;
    this.script = script;
    this.text = text;
  }

  get state(): ReadonlyMap<string, Binding> {
    return this.bound;
  }

  set state(state: ReadonlyMap<string, Binding>) {
    this.bound = state;
  }

  /** Runs `read`, and discards its bindings afterwards. */
  inBranch(read: () => void): void {
    const { bound } = this;
    read();
    this.bound = bound;
  }

  /** The binding of `$name`; null when unknown. */
  of(name: string): Binding | null {
    return this.bound.get(name) ?? FIGURES.get(name) ?? null;
  }

  /**
   * Records that `name=value` ran: known if it is the only assignment to that name on the line; a number if all of them give one;
   * else a harmless string.
   */
  assign(name: string, value: string | null, source: DataSource | undefined = undefined): void {
    if (!this.isFree(name)) return;
    const only = this.assigned().sites(name).length === 1;
    if (value !== null && only) this.bind(name, { kind: 'known', value, glob: false, prefix: value });
    else if (this.assigned().isNumeric(name)) this.bind(name, NUMBER);
    else this.bind(name, only && source !== undefined ? { kind: 'text', source } : TEXT);
  }

  /** Records that arithmetic set `name`, perhaps in a part that did not run: so it must have held a number before. */
  count(name: string): void {
    if (!this.isFree(name) || !this.assigned().isNumeric(name)) this.forget(name);
    else if (this.bound.has(name)) this.bind(name, NUMBER);
  }

  /** Records that `read name` ran. */
  receive(name: string): void {
    if (this.isFree(name)) this.bind(name, TEXT);
  }

  /** Drops what was known about `name`, after a change that is not followed. */
  forget(name: string): void {
    if (!this.bound.has(name)) return;
    const bound = new Map(this.bound);
    bound.delete(name);
    this.bound = bound;
  }

  /** Whether a loop over `name` is the only thing that sets it in the body, which lies between these offsets. */
  isLoopVariable(name: string, start: number, end: number): boolean {
    return (
      this.isFree(name) &&
      !this.assigned()
        .sites(name)
        .some((site) => site >= start && site < end)
    );
  }

  bind(name: string, binding: Binding): void {
    if (this.bound.size < MAX_BOUND || this.bound.has(name)) this.bound = new Map(this.bound).set(name, binding);
  }

  /** Whether a line may own this name, and the line assigns no names that cannot be seen. */
  private isFree(name: string): boolean {
    return isOwnVariable(name) && !this.assigned().unseen;
  }

  private assigned(): AssignedNames {
    this.names ??= assignedNames(this.script, this.text);
    return this.names;
  }
}
