/**
 * Variables whose text is known, or known to be harmless, where a word uses them: set by the line itself in a place that certainly ran,
 * or one of the shell's own figures. Every other variable may hold anything, also a secret.
 */

import type { ParsedScript } from '../syntax/parser.js';
import type { DataSource } from '../syntax/types.js';
import { type AssignedNames, assignedNames } from './assigned-names.js';
import type { Binding } from './binding.js';
import { isOwnVariable } from './variables.js';

const DIGITS: Binding = { kind: 'digits' };
const NUMBER: Binding = { kind: 'number' };
const TEXT: Binding = { kind: 'text' };

/** What the shell itself keeps and everybody may see; a variable that is not listed may hold a secret. */
const FIGURES: ReadonlyMap<string, Binding> = new Map<string, Binding>([
  ...['?', '#', '$'].map((name): [string, Binding] => [name, DIGITS]),
  ['HOME', { kind: 'text', source: { kind: 'home' } }],
  // The job that was started last, or nothing.
  ['!', { kind: 'text', source: { kind: 'processes' } }],
  ...['PWD', 'OLDPWD', 'USER', 'LOGNAME', 'SHELL', 'HOSTNAME', 'LANG', 'TERM', 'PATH', 'TMPDIR'].map(
    (name): [string, Binding] => [name, TEXT],
  ),
  ...['UID', 'EUID', 'PPID', 'SHLVL', 'OSTYPE', 'HOSTTYPE', 'MACHTYPE', 'BASH_VERSION', 'ZSH_VERSION', 'COLUMNS', 'LINES'].map(
    (name): [string, Binding] => [name, TEXT],
  ),
  // What programs are told by everybody, and folders of tools.
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
/** Lines of more variables than this are not followed further: every binding makes a new map. */
const MAX_BOUND = 32;

/** What is bound at the place that is being read; the readers of branches and subshells put it back behind them. */
export class Bindings {
  private bound = NONE;
  private script: ParsedScript | null = null;
  private text = '';
  private names: AssignedNames | null = null;

  /** The whole script: only a look at all of it tells what may be assigned elsewhere. */
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

  /** Runs `read` where nothing that it binds is certain afterwards. */
  inBranch(read: () => void): void {
    const { bound } = this;
    read();
    this.bound = bound;
  }

  /** What `$name` stands for; null when nobody knows. */
  of(name: string): Binding | null {
    return this.bound.get(name) ?? FIGURES.get(name) ?? null;
  }

  /**
   * `name=value` ran: known when it is the only assignment to that name on the line; a number when all of them give one, else a
   * harmless text.
   */
  assign(name: string, value: string | null, source: DataSource | undefined = undefined): void {
    if (!this.isFree(name)) return;
    const only = this.assigned().sites(name).length === 1;
    if (value !== null && only) this.bind(name, { kind: 'known', value, glob: false, prefix: value });
    else if (this.assigned().isNumeric(name)) this.bind(name, NUMBER);
    else this.bind(name, only && source !== undefined ? { kind: 'text', source } : TEXT);
  }

  /** Arithmetic set `name`, perhaps only in a part that did not run: so it must have held a number before. */
  count(name: string): void {
    if (!this.isFree(name) || !this.assigned().isNumeric(name)) this.forget(name);
    else if (this.bound.has(name)) this.bind(name, NUMBER);
  }

  /** `read name` ran. */
  receive(name: string): void {
    if (this.isFree(name)) this.bind(name, TEXT);
  }

  /** Something was done to `name` that is not followed: what was known of it no longer holds. */
  forget(name: string): void {
    if (!this.bound.has(name)) return;
    const bound = new Map(this.bound);
    bound.delete(name);
    this.bound = bound;
  }

  /** Whether a loop over `name` gives it its values in the body, which stands between these offsets, and nothing else does. */
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

  /** A name of the line's own, on a line where nothing assigns names that cannot be seen. */
  private isFree(name: string): boolean {
    return isOwnVariable(name) && !this.assigned().unseen;
  }

  private assigned(): AssignedNames {
    this.names ??= assignedNames(this.script, this.text);
    return this.names;
  }
}
