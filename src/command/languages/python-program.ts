/**
 * Whether a Python program only computes, prints, and reads files that it names. A positive grammar: each name is a known
 * builtin, comes from a known module, or is defined by the program itself; each attribute only computes, whatever object it is
 * taken from. So calling any value within the program's reach has no other effect. Modules, `open` and `type` are not values:
 * they appear only where their use is visible. Python runs only programs that it can parse, so this grammar may accept more
 * than Python's.
 */
import { ATTRIBUTES, BUILTINS, isModule, memberOf, OTHER_BUILTINS, shadowsModule, words } from './python-names.js';
import { type PythonToken, pythonTokens } from './python-tokens.js';

/** The kind of an expression, as far as it matters to its surroundings. */
type Node =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly Node[] }
  | { readonly kind: 'star'; readonly node: Node }
  /** `type(x)`: may only be shown, compared or asked for its name; `foreign`, for names from other code: likewise. */
  | { readonly kind: 'item' | 'type' | 'foreign' | 'other' };

interface Argument {
  /** The keyword of the argument; null for a positional one. */
  readonly name: string | null;
  readonly node: Node;
}

const OTHER: Node = { kind: 'other' };
const NOT_KNOWN = Symbol('not known');
const MOST_DEPTH = 60;
const READ_MODES = words('r rb rt br tr');
const OPEN_OPTIONS = words('mode encoding errors newline');
const PATH_METHODS = words('read_text read_bytes exists is_file is_dir');
const SHOWS: ReadonlySet<string> = new Set(['print', 'str', 'repr']);
const COMPARES = words('== != is in');
const OPERATORS = words('+ - * / // % ** & | ^ << >> < > <= >= == != and or not in is if :=');
const ASSIGNS = words('+= -= *= /= //= %= **= &= |= ^= <<= >>=');
const CONSTANTS = words('True False None');
const KEYWORDS = words(
  'and as assert async await break class continue def del elif else except exec finally for from global if import in is lambda ' +
    'nonlocal not or pass raise return try while with yield case',
);
/** Format strings of `'{}'.format` whose fields access no attribute. */
const PLAIN_FORMAT = /^(?:[^{}]|\{\{|\}\}|\{[A-Za-z0-9_]*(?:![rsa])?(?::[^{}]*)?\})*$/;

/** What a program does in addition to computing and printing. */
export interface PythonProgram {
  readonly files: readonly string[];
  /** Top-level names of the project's modules that the program loads, and all names from these modules that it shows. */
  readonly modules: readonly string[];
  readonly shown: readonly string[];
}

/** Returns what the program does; null if it may do more than a PythonProgram describes. */
export function readPythonProgram(text: string): PythonProgram | null {
  const tokens = pythonTokens(text);
  if (tokens === null) return null;
  try {
    return new Program(tokens).read();
  } catch (error) {
    if (error === NOT_KNOWN) return null;
    throw error;
  }
}

class Program {
  #at = 0;
  #depth = 0;
  /** Names bound by `import`: modules, and functions that read a path. */
  readonly #modules = new Map<string, string>();
  readonly #readers = new Map<string, 'open' | 'path' | 'Path'>([['open', 'open']]);
  /** How often a name is assigned. */
  readonly #bound = new Map<string, number>();
  /** How often a name is used, except as the list of a loop. */
  readonly #used = new Map<string, number>();
  /** The strings, and the lists of strings, that names stand for. */
  readonly #texts = new Map<string, readonly string[]>();
  readonly #lists = new Map<string, readonly string[]>();
  /** Loop variables, with the name of the list that they iterate over. */
  readonly #loops = new Map<string, string>();
  readonly #read: Node[] = [];
  /** Names from modules that are not part of Python. */
  readonly #foreign = new Set<string>();
  readonly #loaded = new Set<string>();
  readonly #named = new Set<string>();
  /** Whether the program shows a type or a foreign value. */
  #shows = false;

  constructor(private tokens: readonly PythonToken[]) {}

  read(): PythonProgram {
    while (this.#kind() !== 'end') this.#statement();
    for (const name of this.#bound.keys())
      must(!this.#modules.has(name) && !this.#readers.has(name) && !this.#foreign.has(name) && !OTHER_BUILTINS.has(name));
    for (const name of this.#used.keys()) must(this.#bound.has(name) || BUILTINS.has(name));
    must(!this.#shows || ![...SHOWS].some((name) => this.#bound.has(name)));
    const files = new Set(this.#read.flatMap((node) => this.#textsOf(node)));
    return { files: [...files], modules: [...this.#loaded], shown: [...this.#named] };
  }

  /** The possible values of a path. */
  #textsOf(node: Node): readonly string[] {
    if (node.kind === 'text' && node.text !== '') return [node.text];
    if (node.kind !== 'name' || this.#bound.get(node.name) !== 1) return fail();
    const list = this.#loops.get(node.name);
    // Only loops use the list, so nothing is added to it.
    if (list !== undefined) must(this.#bound.get(list) === 1 && (this.#used.get(list) ?? 0) === 0);
    const texts = this.#texts.get(node.name) ?? this.#lists.get(list ?? '');
    return texts === undefined || texts.includes('') ? fail() : texts;
  }

  // Tokens

  #kind(ahead = 0): PythonToken['kind'] {
    return this.tokens[this.#at + ahead]?.kind ?? 'end';
  }

  /** Whether the current token is one of these marks or keywords. */
  #is(...texts: readonly string[]): boolean {
    const token = this.tokens[this.#at];
    return token !== undefined && (token.kind === 'mark' || token.kind === 'name') && texts.includes(token.text);
  }

  /** Moves past one of these marks or keywords; false if the current token is none of them. */
  #took(...texts: readonly string[]): boolean {
    if (!this.#is(...texts)) return false;
    this.#at += 1;
    return true;
  }

  #expect(text: string): void {
    must(this.#took(text));
  }

  /** Reads a name that is not a keyword. */
  #name(): string {
    const token = this.tokens[this.#at];
    if (token?.kind !== 'name' || KEYWORDS.has(token.text)) return fail();
    must(!token.text.startsWith('__') || token.text === '__name__');
    this.#at += 1;
    return token.text;
  }

  // Names

  #bind(name: string): void {
    must(!name.startsWith('__'));
    this.#bound.set(name, (this.#bound.get(name) ?? 0) + 1);
  }

  #use(name: string, by = 1): void {
    this.#used.set(name, (this.#used.get(name) ?? 0) + by);
  }

  /** Binds the names in the target of an assignment; items of lists and dictionaries are also permitted there. */
  #target(node: Node): void {
    if (node.kind === 'name') {
      this.#use(node.name, -1);
      this.#bind(node.name);
    } else if (node.kind === 'star') this.#target(node.node);
    else if (node.kind === 'list') for (const item of node.items) this.#target(item);
    else must(node.kind === 'item');
  }

  // Statements

  #statement(): void {
    if (this.#kind() === 'line') this.#at += 1;
    else if (this.#took('if', 'elif', 'while')) {
      this.#expression();
      this.#expect(':');
    } else if (this.#took('else', 'try', 'finally')) this.#expect(':');
    else if (this.#took('for')) {
      this.#loop();
      this.#expect(':');
    } else if (this.#took('with')) {
      do {
        this.#expression();
        if (this.#took('as')) this.#target(this.#operand());
      } while (this.#took(','));
      this.#expect(':');
    } else if (this.#took('except')) {
      if (!this.#is(':')) this.#expression();
      if (this.#took('as')) this.#bind(this.#name());
      this.#expect(':');
    } else if (this.#took('def')) {
      this.#bind(this.#name());
      this.#expect('(');
      this.#parameters(')');
      if (this.#took('->')) this.#expression();
      this.#expect(':');
    } else {
      this.#simple();
      must(this.#kind() === 'line' || this.#kind() === 'end' || this.#took(';'));
    }
  }

  #simple(): void {
    if (this.#took('pass', 'break', 'continue')) return;
    if (this.#took('import')) {
      do this.#import();
      while (this.#took(','));
    } else if (this.#took('from')) this.#importFrom();
    else if (this.#took('global', 'nonlocal')) {
      do this.#use(this.#name());
      while (this.#took(','));
    } else if (this.#took('return', 'raise', 'assert')) {
      if (this.#kind() !== 'line' && this.#kind() !== 'end' && !this.#is(';')) this.#expressions();
      if (this.#took('from')) this.#expression();
    } else this.#assignment();
  }

  #assignment(): void {
    let node = this.#expressions();
    if (ASSIGNS.has(this.tokens[this.#at]?.text ?? '') && this.#kind() === 'mark') {
      this.#at += 1;
      if (node.kind === 'name') this.#use(node.name);
      this.#target(node);
      this.#expressions();
      return;
    }
    const first = node;
    if (this.#took(':')) {
      must(node.kind === 'name');
      this.#expression();
      if (!this.#is('=')) this.#target(node);
    }
    let count = 0;
    for (; this.#took('='); count += 1) {
      this.#target(node);
      node = this.#expressions();
    }
    if (count !== 1 || first.kind !== 'name') return;
    if (node.kind === 'text') this.#texts.set(first.name, [node.text]);
    const texts = textsIn(node);
    if (texts !== null) this.#lists.set(first.name, texts);
  }

  #dotted(): string {
    let name = this.#name();
    while (this.#took('.')) name += `.${this.#name()}`;
    return name;
  }

  #import(): void {
    const module = this.#dotted();
    const top = module.split('.')[0] ?? '';
    if (!isModule(module)) {
      this.#load(module);
      this.#own(this.#took('as') ? this.#name() : top);
    } else if (this.#took('as')) this.#give(this.#name(), module);
    else {
      must(isModule(top));
      this.#give(top, top);
    }
  }

  /** Notes a loaded module of the project; its effect is the project's own affair unless the program calls something in it. */
  #load(module: string): void {
    const names = module.split('.');
    const [top = ''] = names;
    must(!isModule(top) && !shadowsModule(top) && !BUILTINS.has(top) && !OTHER_BUILTINS.has(top));
    this.#loaded.add(top);
    for (const name of names) this.#named.add(name);
  }

  #own(name: string): void {
    must(!BUILTINS.has(name) && !OTHER_BUILTINS.has(name) && !this.#readers.has(name) && !this.#modules.has(name));
    this.#foreign.add(name);
  }

  /** Binds a name to a module; a name never stands for two modules. */
  #give(name: string, module: string): void {
    must(!BUILTINS.has(name) && !OTHER_BUILTINS.has(name) && !this.#readers.has(name) && !this.#foreign.has(name));
    must((this.#modules.get(name) ?? module) === module);
    this.#modules.set(name, module);
  }

  #importFrom(): void {
    const module = this.#dotted();
    const isKnown = isModule(module);
    if (!isKnown) this.#load(module);
    this.#expect('import');
    const inside = this.#took('(');
    do {
      if (inside && this.#is(')')) break;
      const member = this.#name();
      const name = this.#took('as') ? this.#name() : member;
      const kind = memberOf(module, member);
      if (!isKnown) {
        this.#named.add(member);
        this.#own(name);
      } else if (kind === 'module') this.#give(name, `${module}.${member}`);
      else if (kind === 'value') this.#bind(name);
      else {
        must(kind === 'path' && name === member && !this.#modules.has(name) && !this.#foreign.has(name));
        this.#readers.set(name, member === 'Path' ? 'Path' : 'path');
      }
    } while (this.#took(','));
    if (inside) this.#expect(')');
  }

  /** Reads the part of a loop between `for` and the end of its list; `bare`: without `if … else` in the list. */
  #loop(bare = false): void {
    const target = this.#list(() => (this.#took('*') ? { kind: 'star', node: this.#operand() } : this.#operand()), 'in');
    this.#target(target);
    this.#expect('in');
    const list = bare ? this.#expression(true) : this.#expressions();
    if (target.kind !== 'name') return;
    const texts = textsIn(list);
    if (texts !== null) this.#texts.set(target.name, texts);
    else if (list.kind === 'name') {
      this.#use(list.name, -1);
      this.#loops.set(target.name, list.name);
    }
  }

  #parameters(end: ')' | ':'): void {
    while (!this.#took(end)) {
      if (!this.#took('/') && !(this.#took('*') && this.#is(',', end))) {
        this.#took('**', '*');
        this.#bind(this.#name());
        if (end === ')' && this.#took(':')) this.#expression();
        if (this.#took('=')) this.#expression();
      }
      if (!this.#is(end)) this.#expect(',');
    }
  }

  // Expressions

  /** Reads one expression, or several separated by commas. */
  #expressions(): Node {
    if (!this.#took('yield')) return this.#list(() => this.#starred());
    this.#took('from');
    if (!this.#is(')') && this.#kind() !== 'line' && this.#kind() !== 'end') this.#expressions();
    return OTHER;
  }

  /** Reads one item with `read`, or several separated by commas. */
  #list(read: () => Node, ...ends: readonly string[]): Node {
    const first = read();
    if (!this.#is(',')) return first.kind === 'star' ? fail() : first;
    const items = [first];
    while (this.#took(',')) {
      if (this.#is(')', ']', '}', '=', ':', ';', ...ends) || this.#kind() === 'line' || this.#kind() === 'end') break;
      items.push(read());
    }
    return { kind: 'list', items };
  }

  #starred(): Node {
    return this.#took('*') ? { kind: 'star', node: value(this.#operand()) } : this.#expression();
  }

  /** Reads an expression whose value may be used anywhere. */
  #expression(bare = false): Node {
    return value(this.#shown(bare));
  }

  /** Reads operands and operators in the order of occurrence: precedence does not matter here. `bare`: without `if … else`. */
  #shown(bare = false): Node {
    this.#depth += 1;
    must(this.#depth < MOST_DEPTH);
    let node = this.#operand();
    for (let operator = this.#operator(bare); operator !== null; operator = this.#operator(bare)) {
      if (operator === ':=') {
        this.#target(node);
        this.#expression(bare);
      } else if (operator === 'if') {
        value(node);
        this.#expression(true);
        this.#expect('else');
        this.#expression();
      } else {
        const compares = COMPARES.has(operator);
        if (!compares) value(node);
        const right = this.#operand();
        if (!compares && !this.#is('==', '!=', 'is', 'in', 'not')) value(right);
      }
      node = OTHER;
    }
    this.#depth -= 1;
    return node;
  }

  #operator(bare: boolean): string | null {
    const token = this.tokens[this.#at];
    if (token === undefined || (token.kind !== 'mark' && token.kind !== 'name')) return null;
    if (!OPERATORS.has(token.text) || (bare && token.text === 'if')) return null;
    this.#at += 1;
    if (token.text === 'not') this.#expect('in');
    if (token.text === 'is') this.#took('not');
    return token.text === 'not' ? 'in' : token.text;
  }

  /** Reads an operand: an atom with its prefix operators, attributes, calls and subscripts. */
  #operand(): Node {
    let signed = false;
    while (this.#took('not', '-', '+', '~')) signed = true;
    let node = this.#atom();
    for (;;) {
      if (this.#is('.') && node.kind === 'foreign') {
        this.#at += 1;
        this.#named.add(this.#took('__version__') ? 'version' : this.#name());
      } else if (this.#took('.')) {
        const name = this.#name();
        must(ATTRIBUTES.has(name) && (node.kind !== 'type' || name === '__name__'));
        node = OTHER;
      } else if (this.#took('(')) {
        value(node);
        const shows = node.kind === 'name' && SHOWS.has(node.name);
        for (const argument of this.#arguments()) {
          if (shows && argument.name === null && (argument.node.kind === 'type' || argument.node.kind === 'foreign'))
            this.#shows = true;
          else value(argument.node);
        }
        node = OTHER;
      } else if (this.#took('[')) {
        value(node);
        this.#subscript();
        node = { kind: 'item' };
      } else break;
    }
    return signed && node.kind !== 'type' && node.kind !== 'foreign' ? OTHER : node;
  }

  #subscript(): void {
    while (!this.#took(']')) if (!this.#took(':', ',')) this.#expression();
  }

  #arguments(): readonly Argument[] {
    const found: Argument[] = [];
    while (!this.#took(')')) {
      const named = this.#kind() === 'name' && this.tokens[this.#at + 1]?.text === '=' && this.#kind(1) === 'mark';
      if (named) {
        const name = this.#name();
        this.#expect('=');
        found.push({ name, node: this.#expression() });
      } else if (this.#took('*', '**')) {
        this.#expression();
        found.push({ name: '*', node: OTHER });
      } else {
        const node = this.#shown();
        found.push({ name: null, node: this.#comprehension() ? value(node) && OTHER : node });
      }
      if (!this.#is(')')) this.#expect(',');
    }
    return found;
  }

  /** Reads `for … in … if …` after a value; false if there is none. */
  #comprehension(): boolean {
    if (!this.#is('for')) return false;
    while (this.#took('for')) {
      this.#loop(true);
      while (this.#took('if')) this.#expression(true);
    }
    return true;
  }

  #atom(): Node {
    const token = this.tokens[this.#at];
    if (token?.kind === 'string') return this.#strings();
    if (token?.kind === 'number' || this.#is('...')) {
      this.#at += 1;
      return OTHER;
    }
    if (this.#took('(')) return this.#display(')');
    if (this.#took('[')) return this.#display(']');
    if (this.#took('{')) return this.#braces();
    if (this.#took('lambda')) {
      this.#parameters(':');
      this.#expression();
      return OTHER;
    }
    const name = this.#name();
    if (CONSTANTS.has(name)) return OTHER;
    const module = this.#modules.get(name);
    if (module !== undefined) return this.#member(module);
    const reader = this.#readers.get(name);
    if (reader !== undefined) return this.#reader(reader);
    if (this.#foreign.has(name)) return { kind: 'foreign' };
    if (name === 'type') {
      this.#expect('(');
      const [only, ...others] = this.#arguments();
      must(only !== undefined && only.name === null && others.length === 0);
      if (only !== undefined) value(only.node);
      return { kind: 'type' };
    }
    this.#use(name);
    return { kind: 'name', name };
  }

  /** Reads the part of an expression after the name of a module. */
  #member(module: string): Node {
    this.#expect('.');
    const name = this.#name();
    if (module === 'ast' && name === 'parse') return this.#parsed();
    const kind = memberOf(module, name);
    if (kind === 'module') return this.#member(`${module}.${name}`);
    if (kind === 'path') return this.#reader(name === 'Path' ? 'Path' : 'path');
    must(kind === 'value');
    return OTHER;
  }

  /** `ast.parse(TEXT)`; no file name is accepted, since an error in the text would show a line of that file. */
  #parsed(): Node {
    this.#expect('(');
    const [text, ...others] = this.#arguments();
    must(text !== undefined && text.name === null && text.node.kind !== 'star' && others.length === 0);
    return OTHER;
  }

  /** Reads a call that opens or reads a file; the path of the file must be explicit. */
  #reader(reader: 'open' | 'path' | 'Path'): Node {
    this.#expect('(');
    const [path, ...others] = this.#arguments();
    if (path === undefined || path.name !== null) return fail();
    this.#read.push(path.node);
    for (const [index, { name, node }] of others.entries()) {
      must(reader === 'open' && (name === null ? index === 0 : OPEN_OPTIONS.has(name)) && node.kind === 'text');
      if (node.kind === 'text' && (name === null || name === 'mode')) must(READ_MODES.has(node.text));
    }
    if (reader !== 'Path') return OTHER;
    this.#expect('.');
    must(PATH_METHODS.has(this.#name()));
    return this.#is('(') ? OTHER : fail();
  }

  #strings(): Node {
    const strings: PythonToken[] = [];
    for (let token = this.tokens[this.#at]; token?.kind === 'string'; token = this.tokens[this.#at]) {
      strings.push(token);
      this.#at += 1;
    }
    for (const field of strings.flatMap(({ fields }) => fields ?? [])) this.#field(field);
    const [first] = strings;
    if (this.#is('.') && this.tokens[this.#at + 1]?.text === 'format') {
      must(strings.every(({ text, prefix }) => prefix === '' && !text.includes('\\') && PLAIN_FORMAT.test(text)));
      this.#at += 2;
      return this.#is('(') ? OTHER : fail();
    }
    const plain = strings.length === 1 && first !== undefined && (first.prefix === '' || first.prefix === 'r');
    return plain && !/[\\\n]/.test(first.text) ? { kind: 'text', text: first.text } : OTHER;
  }

  /** Reads the expression in a field of an f-string. */
  #field(tokens: readonly PythonToken[]): void {
    const [outer, at] = [this.tokens, this.#at];
    this.tokens = tokens;
    this.#at = 0;
    this.#shown();
    must(this.#kind() === 'end');
    this.tokens = outer;
    this.#at = at;
  }

  /** Reads the contents of parentheses or brackets. */
  #display(end: ')' | ']'): Node {
    if (this.#took(end)) return { kind: 'list', items: [] };
    const node = this.#expressions();
    const made = this.#comprehension();
    this.#expect(end);
    if (made) return OTHER;
    return end === ')' || node.kind === 'list' ? node : { kind: 'list', items: [node] };
  }

  #braces(): Node {
    while (!this.#took('}')) {
      if (this.#took('**')) value(this.#operand());
      else {
        this.#starred();
        if (this.#took(':')) this.#expression();
        this.#comprehension();
      }
      if (!this.#is('}')) this.#expect(',');
    }
    return OTHER;
  }
}

/** The strings of a list that contains nothing else; null for any other node. */
function textsIn(node: Node): readonly string[] | null {
  if (node.kind !== 'list') return null;
  const texts = node.items.flatMap((item) => (item.kind === 'text' ? [item.text] : []));
  return texts.length === node.items.length ? texts : null;
}

/** Accepts a node only if its value may be used anywhere. */
function value(node: Node): Node {
  return node.kind === 'type' || node.kind === 'foreign' ? fail() : node;
}

function must(holds: boolean): void {
  if (!holds) fail();
}

function fail(): never {
  throw NOT_KNOWN;
}
