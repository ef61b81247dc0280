/** Pieces of Markdown that keep their meaning whatever a stranger put into them: text, code, blocks, table rows. */
import { type Block, type Inline, type Item, type Mark, partsOf, type Section, type Text } from './document.js';
import { escapeText } from './escape.js';
import { inline as htmlInline } from './html.js';

/** All characters with a meaning inside a line in CommonMark or GitHub's extensions. */
const MEANINGFUL = /[\\`*_{}[\]<>|~#]|(?<=\/)\/|(?<=www)\./gi;

/** Returns a text for a sentence: without markup, links or HTML. */
export function plain(text: string): string {
  return escapeText(text)
    .replace(/&(?=#?\w)/g, '&amp;')
    .replace(MEANINGFUL, '\\$&');
}

/** Returns words with commands in backticks; whatever else has a meaning in Markdown loses it. */
export function ours(text: string): string {
  return text
    .split(/(`[^`]+`)/)
    .map((part, at) => (at % 2 === 1 ? code(part.slice(1, -1)) : plain(part)))
    .join('');
}

/** Returns a text as inline code, also for a table. */
export function code(text: string): string {
  const safe = escapeText(text);
  const fence = '`'.repeat(longestRun(safe) + 1);
  // A space separates backticks at the ends from the fence; CommonMark removes one on each side.
  const padded = safe === '' || /^[` ]|[` ]$/.test(safe) ? ` ${safe} ` : safe;
  return `${fence}${padded}${fence}`;
}

/** Returns lines as a code block; a line break inside a line becomes visible. */
export function block(lines: readonly string[]): string {
  const safe = lines.map(escapeText);
  const fence = '`'.repeat(Math.max(3, longestRun(safe.join('\n')) + 1));
  return `${fence}text\n${safe.join('\n')}\n${fence}\n`;
}

/** Returns a unified diff as a code block; tabs are kept, so that it can be applied. */
function diffBlock(diff: string): string {
  const safe = diff
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => line.split('\t').map(escapeText).join('\t'));
  const fence = '`'.repeat(Math.max(3, longestRun(safe.join('\n')) + 1));
  return `${fence}diff\n${safe.join('\n')}\n${fence}\n`;
}

/** Returns a table; its cells already are Markdown, in which a bar has to be escaped even inside code. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(withoutBars).join(' | ')} |\n`;
  return `${line(head)}${line(head.map(() => '---'))}${rows.map(line).join('')}`;
}

/** An even number of backslashes before a bar escapes backslashes, not the bar. */
function withoutBars(cell: string): string {
  return cell.replace(/(\\*)\|/g, (bar, slashes: string) => (slashes.length % 2 === 0 ? `${slashes}\\|` : bar));
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}

const ICONS: Readonly<Record<Mark, string>> = {
  implemented: '✅',
  partial: '⚠️',
  missing: '❌',
  pending: '⏳',
  none: '➖',
  note: 'ℹ️',
};

interface MarkdownOptions {
  /** Of the title. */
  readonly level?: number;
  /** False: what is folded follows its title, for readers of the plain text. */
  readonly folds?: boolean;
}

/** Returns the document, with a final line break. */
export function asMarkdown(document: Section, { level = 1, folds = true }: MarkdownOptions = {}): string {
  return printed(document, level, folds).join('\n');
}

/** Returns nothing, not even an empty line, for content that only a page shows. */
function printed(one: Block, level: number, folds: boolean): readonly string[] {
  switch (one.kind) {
    case 'section':
      return [`${'#'.repeat(level)} ${inline(one.title)}\n`, ...one.blocks.flatMap((below) => printed(below, level + 1, folds))];
    case 'folded': {
      const inside = one.blocks.flatMap((below) => printed(below, level, folds));
      // The first line is HTML up to the empty line; what follows is Markdown again.
      return folds
        ? [`<details><summary>${htmlInline(one.title)}</summary>\n`, ...inside, '</details>\n']
        : [`**${inline(one.title)}**:\n`, ...inside];
    }
    case 'paragraph':
      return [`${inline(one.text)}\n`];
    case 'list':
      return [
        one.items
          .map((item) => entry(item, ''))
          .join('')
          .replace(/\n\n$/, '\n'),
      ];
    case 'table':
      return [
        table(
          one.heads.map(ours),
          one.rows.map((row) => row.map(inline)),
        ),
      ];
    case 'code':
      return [block(one.lines)];
    case 'patch':
      return [diffBlock(one.diff)];
    default:
      return [];
  }
}

function entry({ text, below = [], lines }: Item, indent: string): string {
  const head = `${indent}- ${inline(text)}\n`;
  if (lines !== undefined) return `${head}\n${block(lines).replace(/^(?=.)/gm, `${indent}  `)}\n`;
  return `${head}${below.map((item) => entry(item, `${indent}  `)).join('')}`;
}

function inline(text: Text): string {
  return partsOf(text).map(part).join('');
}

function part(one: Inline): string {
  if (typeof one === 'string') return plain(one);
  if ('ours' in one) return ours(one.ours);
  if ('code' in one) return code(one.code);
  if ('strong' in one) return `**${inline(one.strong)}**`;
  if ('mark' in one) return `${ICONS[one.mark]}${one.word === undefined ? '' : plain(` ${one.word}`)}`;
  return ours(one.text ?? one.link);
}
