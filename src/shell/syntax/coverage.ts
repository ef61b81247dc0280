/**
 * The proof that nothing was left out: every byte of a script belongs to a word, redirection or test that was read, or is a
 * blank, comment, operator or keyword between them. It counts independently and does not trust the parser's positions.
 */
import { type Command, forEachChild, type HereDoc, type ParsedScript, type Redirection, type SyntaxNode } from './parser.js';

type Spanned = { readonly pos: number; readonly end: number };

/** What may occur between two nodes: only blanks, or also operators and comments, or also the keywords of compound commands. */
type Gap = 'words' | 'commands' | 'keywords';

const KEYWORDS: ReadonlySet<string> = new Set(
  'if then elif else fi for in do done while until case esac select function coproc { }'.split(' '),
);

/**
 * The offset of the first byte that nothing explains, or -1.
 * @param text the text that the script's positions refer to
 */
export function unexplainedAt(script: ParsedScript, text: string): number {
  const coverage = new Coverage(text, script.pos);
  coverage.list(script.commands, 'commands');
  coverage.between(script.end, 'commands', false);
  return coverage.failure;
}

class Coverage {
  failure = -1;
  private cursor: number;
  /** The start of the last word. */
  private wordStart = 0;
  /** A word ends at the cursor: anything that follows without a blank or operator would be part of it. */
  private glued = false;
  /** Here-documents whose bodies start after the next newline. */
  private pending: HereDoc[] = [];

  constructor(
    private readonly text: string,
    start: number,
  ) {
    this.cursor = start;
  }

  /** Covers consecutive commands; the gap before the first may differ. */
  list(nodes: readonly SyntaxNode[], first: Gap): void {
    let gap = first;
    for (const node of nodes) {
      this.node(node, gap);
      gap = 'commands';
    }
  }

  private node(node: SyntaxNode, gap: Gap): void {
    switch (node.type) {
      case 'Statement':
        this.node(node.command, gap);
        return;
      case 'Command':
        this.command(node, gap);
        return;
      case 'AndOr':
      case 'CompoundList':
        this.list(node.commands, gap);
        return;
      case 'Pipeline':
        for (const [index, prefix] of node.prefixes.entries()) this.unit(prefix, index === 0 ? gap : 'commands', true);
        this.list(node.commands, node.prefixes.length === 0 ? gap : 'commands');
        return;
      case 'Word':
        this.unit(node, gap, true);
        return;
      case 'TestCommand':
        this.unit(node, gap, true);
        return;
      case 'ArithmeticCommand':
        this.unit(node, gap, false);
        this.glued = false;
        return;
      case 'Redirected':
        this.node(node.command, gap);
        for (const redirect of node.redirects) this.redirection(redirect, 'words');
        return;
      case 'ArithmeticFor':
        this.between(node.pos, gap, true);
        this.cursor = Math.max(this.cursor, this.text.lastIndexOf('))', node.body.pos) + 2);
        this.glued = false;
        this.node(node.body, 'keywords');
        this.between(node.end, 'keywords', false);
        return;
      default:
        this.compound(node, gap);
        return;
    }
  }

  /** Covers a compound command, or part of one: words and lists with keywords around them. */
  private compound(node: SyntaxNode, gap: Gap): void {
    this.between(node.pos, gap, node.type !== 'Subshell');
    forEachChild(node, (child) => this.node(child, 'keywords'));
    this.between(node.end, 'keywords', false);
  }

  private command(node: Command, gap: Gap): void {
    let next = gap;
    for (const item of node.prefix) next = this.item(item, next);
    if (node.name !== undefined) next = this.item(node.name, next);
    for (const item of node.suffix) next = this.item(item, next);
  }

  private item(node: Command['prefix'][number] | Command['suffix'][number], gap: Gap): Gap {
    if (node.type === 'Word' || node.type === 'Assignment') this.unit(node, gap, true);
    else this.redirection(node, gap);
    return 'words';
  }

  /** Covers a node that was read as a whole. */
  private unit(node: Spanned, gap: Gap, isWord: boolean): void {
    this.between(node.pos, gap, isWord);
    this.wordStart = node.pos;
    this.cursor = node.end;
    this.glued = true;
  }

  private redirection(node: Redirection, gap: Gap): void {
    const { text } = this;
    // A redirection may be glued to the word before it, unless a line continuation hides that this word is its descriptor.
    const operatorFirst = '<>&'.includes(text.charAt(node.pos));
    if (operatorFirst && this.cursor === node.pos && text.slice(this.wordStart, node.pos).includes('\\\n'))
      this.fail(this.wordStart);
    this.between(node.pos, gap, !operatorFirst);
    this.cursor = node.descriptor?.end ?? node.pos;
    const target = node.type === 'HereDoc' ? node.delimiter : node.target;
    if (target === undefined || target.end !== node.end || !text.startsWith(node.operator, this.cursor)) this.fail(node.pos);
    else {
      this.pass(node.operator.length);
      this.between(target.pos, 'words', false);
    }
    if (node.type === 'HereDoc') this.pending.push(node);
    this.cursor = node.end;
    this.glued = true;
  }

  private fail(at: number): void {
    if (this.failure === -1) this.failure = at;
  }

  /**
   * Passes over the text before `end`; anything that the gap does not allow is unexplained.
   * @param word whether a word follows, which must not be glued to the one before
   */
  between(end: number, gap: Gap, word: boolean): void {
    const { text } = this;
    if (this.cursor > end) this.fail(end);
    while (this.cursor < end) {
      const code = text.charCodeAt(this.cursor);
      if (code === 32 || code === 9) this.pass(1);
      else if (code === 92 && text.charCodeAt(this.cursor + 1) === 10) this.cursor += 2;
      else if (gap === 'words' || !this.passSign(code, gap)) {
        this.fail(this.cursor);
        this.cursor = end;
      }
    }
    if (word && this.glued) this.fail(end);
  }

  private pass(length: number): void {
    this.cursor += length;
    this.glued = false;
  }

  /** Passes over a newline, comment, operator or keyword; false for anything else. */
  private passSign(code: number, gap: Gap): boolean {
    if (code === 10) {
      this.pass(1);
      this.passHereDocs();
      return true;
    }
    if (code === 35 && !this.glued) {
      const newline = this.text.indexOf('\n', this.cursor);
      this.cursor = newline === -1 ? this.text.length : newline;
      return true;
    }
    // ; & |
    if (code === 59 || code === 38 || code === 124 || (gap === 'keywords' && (code === 40 || code === 41))) {
      this.pass(1);
      return true;
    }
    const keyword =
      gap === 'keywords' && !this.glued ? (/^[^\s;&|()<>]+/.exec(this.text.slice(this.cursor, this.cursor + 9))?.[0] ?? '') : '';
    if (!KEYWORDS.has(keyword)) return false;
    this.cursor += keyword.length;
    this.glued = true;
    return true;
  }

  /** Passes over the bodies of pending here-documents, which follow the newline. */
  private passHereDocs(): void {
    for (const { body, closing } of this.pending) {
      if (closing === undefined || body.pos !== this.cursor) this.fail(this.cursor);
      else this.cursor = this.text.charCodeAt(closing.end) === 10 ? closing.end + 1 : closing.end;
    }
    this.pending = [];
  }
}
