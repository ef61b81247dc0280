/** Which variables a script assigns, and where: asked before a variable's value is treated as known. */
import { type Arithmetic, countingLoop, wholeArithmetic } from '../syntax/arithmetic.js';
import { MAX_BYTES } from '../syntax/characters.js';
import { parameterUse } from '../syntax/parameter-use.js';
import { type Command, forEachChild, type ParsedScript, type SyntaxNode } from '../syntax/parser.js';
import { isBuiltinOfInterest } from './builtins.js';

/** `unseen`: the script may assign names that cannot be listed. */
export interface AssignedNames {
  readonly unseen: boolean;
  /** Offsets of the assignments to a name. */
  sites(name: string): readonly number[];
  /** Whether the name is assigned and each assignment gives it a number, judged by its text alone. */
  isNumeric(name: string): boolean;
}

/** Builtins of interest that assign nothing (`cd` sets only its own variables). */
const ASSIGN_NOTHING: ReadonlySet<string> = new Set(['test', '[', 'cd', 'exit', 'jobs', 'history', 'time', 'wait']);
const NAME = /^[A-Za-z_]\w*$/;
/** A first word of `printf` that cannot be `-v`, however it is quoted. */
const CERTAIN_FORMAT = /^(?:["'][^-"'$`]|[^-"'\\$`])/;
const NO_SITES: readonly number[] = [];
/** At most this many levels are searched: deeper trees are opaque anyway. */
const MAX_DEPTH = 200;
/** At most this many characters in all nodes: the parser reads the text of a substitution once for every level around it. */
const MAX_CHARACTERS = 32 * MAX_BYTES;

/**
 * Searches a whole script, including substitutions; without a script (null), nothing is known.
 * @param text the text that the script's positions refer to
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
  /** Names for which some assignment may give something other than a number. */
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
        // Its positions refer to its own decoded text.
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

  /** An expression assigns only numbers; one that cannot be read may assign anything. */
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

  /** `${x:=y}` assigns; subscripts and slices are arithmetic, which may assign. */
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
    // `command -v NAME` only describes the command.
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

/** Whether the value of an assignment is a number, or arithmetic, which always gives one. */
function isNumericValue(value: string): boolean {
  return DIGITS.test(value) || wholeArithmetic(value.replace(/^"(.*)"$/, '$1'), '$((') !== null;
}

/** Whether an item in the list of a loop expands only to numbers. */
function isNumericItem(text: string): boolean {
  return DIGITS.test(text) || /^\{\d{1,5}\.\.\d{1,5}\}$/.test(text);
}

/** The names that `read` sets, from its words as written; null when they are not plain names. */
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
