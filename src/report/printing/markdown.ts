/** Pieces of Markdown that keep their meaning whatever a stranger put into them: text, code, blocks, table rows. */
import { type Block, type Inline, type Item, type Mark, partsOf, type Section, type Text } from './document.js';
import { escapeText } from './escape.js';

/** All characters with a meaning inside a line in CommonMark or GitHub's extensions. */
const MEANINGFUL = /[\\`*_{}[\]<>|~#]|(?<=\/)\/|(?<=www)\./gi;

/** Returns a text for a sentence: without markup, links or HTML. */
export function plain(text: string): string {
  return escapeText(text).replaceAll('&', '&amp;').replace(MEANINGFUL, '\\$&');
}

/** Returns a text of our own, in Markdown: from a checklist or from the code, never from an audited file. */
export function ours(text: string): string {
  return escapeText(text);
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
  unknown: '❔',
  none: '➖',
  note: 'ℹ️',
};

/** Returns the document, with a final line break. @param level of its title */
export function asMarkdown(document: Section, level = 1): string {
  return printed(document, level).join('\n');
}

/** Returns nothing, not even an empty line, for content that only a page shows. */
function printed(one: Block, level: number): readonly string[] {
  switch (one.kind) {
    case 'section':
      return [`${'#'.repeat(level)} ${inline(one.title)}\n`, ...one.blocks.flatMap((below) => printed(below, level + 1))];
    case 'folded':
      return [`**${inline(one.title)}**${inline(one.about ?? [])}:\n`, ...one.blocks.flatMap((below) => printed(below, level))];
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
