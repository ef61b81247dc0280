/** Which variables a script assigns, and where: asked before any of them is taken for known. */
import { type Arithmetic, countingLoop, wholeArithmetic } from '../syntax/arithmetic.js';
import { MAX_BYTES } from '../syntax/characters.js';
import { parameterUse } from '../syntax/parameter-use.js';
import { type Command, forEachChild, type ParsedScript, type SyntaxNode } from '../syntax/parser.js';
import { isBuiltinOfInterest } from './builtins.js';

/** `unseen`: something may assign names that nobody can list. */
export interface AssignedNames {
  readonly unseen: boolean;
  /** Offsets of the assignments to a name. */
  sites(name: string): readonly number[];
  /** Whether each of them gives it a number, as its text alone tells. */
  isNumeric(name: string): boolean;
}

/** Builtins of interest that assign nothing, or only what `cd` does. */
const ASSIGN_NOTHING: ReadonlySet<string> = new Set(['test', '[', 'cd', 'exit', 'jobs', 'history', 'time', 'wait']);
const NAME = /^[A-Za-z_]\w*$/;
/** A first word of `printf` that is no `-v`, however it is quoted. */
const CERTAIN_FORMAT = /^(?:["'][^-"'$`]|[^-"'\\$`])/;
const NO_SITES: readonly number[] = [];
/** Deeper trees are opaque anyway. */
const MAX_DEPTH = 200;
/** Characters of all nodes: the parser reads a substitution's text once for every level around it. */
const MAX_CHARACTERS = 32 * MAX_BYTES;

/**
 * Looks through a whole script, substitutions included; null is no script, of which nothing is known.
 * @param text the text that its positions count in
 */
export function assignedNames(script: ParsedScript | null, text: string): AssignedNames {
  const search = new Search(text);
  if (script === null) search.unseen = true;
  else search.node(script, 0);
  return {
    unseen: search.unseen,
    sites: (name) => search.found.get(name) ?? NO_SITES,
    isNumeric: (name) => search.found.has(name) && !search.others.has(name),
  };
}

class Search {
  unseen = false;
  private characters = 0;
  readonly found = new Map<string, number[]>();
  /** Names of which some assignment may give anything but a number. */
  readonly others = new Set<string>();

  constructor(private readonly text: string) {}

  node(node: SyntaxNode, depth: number): void {
    this.characters += node.end - node.pos;
    if (depth > MAX_DEPTH || this.characters > MAX_CHARACTERS) this.unseen = true;
    if (this.unseen) return;
    switch (node.type) {
      case 'Assignment':
        this.site(node.name, node.pos, node.append !== true && isNumericValue(node.text.slice(node.name.length + 1)));
        if (node.index !== undefined || node.value.type === 'ArrayValue') this.unseen = true;
        break;
      case 'For':
        this.site(node.name.text, node.pos, node.wordlist?.every(({ text }) => isNumericItem(text)) ?? false);
        break;
      case 'Command':
        this.command(node);
        break;
      case 'Script':
        // Its positions count in a text of its own.
        if (node.source !== undefined) this.unseen = true;
        break;
      case 'ParameterExpansion':
        this.expansion(node);
        break;
      case 'ArithmeticExpansion':
        this.arithmetic(wholeArithmetic(node.text, '$(('), node.pos);
        break;
      case 'ArithmeticCommand':
        this.arithmetic(wholeArithmetic(this.text.slice(node.pos, node.end), '(('), node.pos);
        break;
      case 'ArithmeticFor':
        for (const one of countingLoop(this.text, node) ?? [null]) this.arithmetic(one, node.pos);
        break;
      case 'Function':
      case 'Coproc':
      case 'Select':
      case 'FileDescriptorVariable':
        this.unseen = true;
        break;
    }
    forEachChild(node, (child) => this.node(child, depth + 1));
  }

  /** What an expression assigns are numbers; one that is not read may assign anything. */
  private arithmetic(expression: Arithmetic | null, position: number): void {
    if (expression === null) this.unseen = true;
    else for (const name of expression.assigned) this.site(name, position, true);
  }

  private site(name: string, position: number, isNumeric = false): void {
    if (!isNumeric) this.others.add(name);
    const sites = this.found.get(name);
    if (sites === undefined) this.found.set(name, [position]);
    else sites.push(position);
  }

  /** `${x:=y}` assigns; subscripts and slices are arithmetic, which may. */
  private expansion(node: Extract<SyntaxNode, { type: 'ParameterExpansion' }>): void {
    const { operation, index, prefix } = node;
    const assigns = operation?.type === 'Default' && operation.operator.includes('=');
    const unclear =
      (operation?.type === 'Slice' && parameterUse(node.text, 0) === null) ||
      operation?.type === 'Unknown' ||
      operation?.type === 'Transform';
    if (assigns || unclear || index !== undefined || prefix === '!') this.unseen = true;
  }

  private command(node: Command): void {
    const name = node.name?.text;
    if (name === undefined || ASSIGN_NOTHING.has(name)) return;
    const words = node.suffix.flatMap((item) => (item.type === 'Word' || item.type === 'Assignment' ? [item.text] : []));
    // `command -v NAME` only describes.
    if (name === 'command' && /^-[vV]$/.test(words[0] ?? '')) return;
    if (name === 'read') this.readNames(words, node.pos);
    else if (name === 'printf') this.unseen ||= words[0] !== undefined && !CERTAIN_FORMAT.test(words[0]);
    else if (name === 'set') this.unseen ||= !words.every((word) => /^(?:[-+][eu]*o?|errexit|nounset|pipefail)$/.test(word));
    else if (!/^[\w./+-]+$/.test(name) || name === 'print' || isBuiltinOfInterest(name)) this.unseen = true;
  }

  private readNames(words: readonly string[], position: number): void {
    const names = readTargets(words);
    if (names === null) this.unseen = true;
    else for (const name of names) this.site(name, position);
  }
}

const DIGITS = /^\d{1,15}$/;

/** The value of an assignment that is a number, or arithmetic, which always gives one. */
function isNumericValue(value: string): boolean {
  return DIGITS.test(value) || wholeArithmetic(value.replace(/^"(.*)"$/, '$1'), '$((') !== null;
}

/** An item of a loop's list that stands for numbers only. */
function isNumericItem(text: string): boolean {
  return DIGITS.test(text) || /^\{\d{1,5}\.\.\d{1,5}\}$/.test(text);
}

/** The names that `read` sets by its words as written; null when they are not plain. */
export function readTargets(words: readonly string[]): readonly string[] | null {
  let at = 0;
  for (; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word === '-r') continue;
    if (word === '-d' && (words[at + 1] === "''" || words[at + 1] === '""')) {
      at += 1;
      continue;
    }
    if (!word.startsWith('-')) break;
    return null;
  }
  const names = words.slice(at);
  return names.every((name) => NAME.test(name)) ? names : null;
}
