/** A document as one self-contained page of HTML: no script, no image, no external font. */
import {
  type Block,
  type Inline,
  type Item,
  type Mark,
  type Part,
  partsOf,
  type Section,
  stateOf,
  type Text,
} from './document.js';
import { STYLE } from './html-style.js';
import { markup } from './markup.js';

const ICONS: Readonly<Record<Mark, string>> = {
  implemented: '✓',
  partial: '?',
  missing: '✕',
  pending: '…',
  none: '–',
  note: 'ℹ',
};

/** Escapes every string; the page loads nothing. */
export function asHtml({ title, blocks }: Section): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${inline(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${inline(title)}</h1>
${blocks.map((one) => printed(one, 2)).join('')}</main>
</body>
</html>
`;
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function printed(one: Block, level: number): string {
  const inside = (blocks: readonly Block[], below = level) => blocks.map((each) => printed(each, below)).join('');
  switch (one.kind) {
    case 'section': {
      const [head, content] = [inline(one.title), inside(one.blocks, level + 1)];
      return `<section${classOf([one.title])}>\n<h${level}${idOf(one.id)}>${head}</h${level}>\n${content}</section>\n`;
    }
    case 'folded':
      return `<details><summary>${inline(one.title)}</summary>\n${inside(one.blocks)}</details>\n`;
    case 'page':
      return inside(one.blocks);
    case 'filter':
      return `<input type="checkbox" class="filter" id="filter"><label for="filter">${markup(one.label)}</label>\n`;
    case 'paragraph':
      return `<p>${inline(one.text)}</p>\n`;
    case 'list':
      return listOf(one.items);
    case 'table': {
      const heads = one.heads.map((text) => `<th scope="col" role="columnheader">${markup(text)}</th>`).join('');
      const rows = one.rows.map((row) => {
        const [first = '', ...cells] = row;
        // On a phone each row is a card that names its columns; the roles keep it a table for screen readers.
        const others = cells.map((cell, at) => {
          return `<td role="cell" data-head="${markup(one.heads[at + 1] ?? '')}"><div>${inline(cell)}</div></td>`;
        });
        return `<tr role="row"${classOf(row)}><th scope="row" role="rowheader">${inline(first)}</th>${others.join('')}</tr>`;
      });
      // Content wider than the page can be scrolled with the keyboard.
      return `<div class="wide" tabindex="0"><table role="table"><thead role="rowgroup"><tr role="row">${heads}</tr></thead><tbody role="rowgroup">\n${rows.join('\n')}\n</tbody></table></div>\n`;
    }
    case 'code':
      return pre(one.lines.map(markup));
    case 'patch':
      return pre(one.diff.replace(/\n$/, '').split('\n').map(changed));
    case 'frame':
      return pre(
        one.lines.map((line) => line.map(({ style, text }) => `<span class="${style}">${markup(text)}</span>`).join('')),
      );
    case 'chart':
      return chart(one.parts);
  }
}

/** The state of a row, an entry or a section: the style shows it, and the filter hides what holds. */
function classOf(texts: readonly Text[]): string {
  const state = texts.map(stateOf).find((one) => one !== null);
  return state === undefined ? '' : ` class="is-${state}"`;
}

function idOf(id: string | null): string {
  return id === null ? '' : ` id="${markup(id)}"`;
}

function pre(lines: readonly string[]): string {
  return `<pre tabindex="0">${lines.join('\n')}</pre>\n`;
}

/** Removed and added lines are distinguished by their sign as well. */
function changed(line: string): string {
  const text = line.split('\t').map(markup).join('\t');
  const style = CHANGES.find(([begin]) => begin.test(line))?.[1];
  return style === undefined ? text : `<span class="${style}">${text}</span>`;
}

const CHANGES = [
  [/^(?:---|\+\+\+|@@)/, 'dim'],
  [/^\+/, 'implemented'],
  [/^-/, 'missing'],
] as const;

function listOf(items: readonly Item[]): string {
  const all = items.map(({ text, id, below = [], lines }) => {
    const inner = `${inline(text)}${lines === undefined ? '' : pre(lines.map(markup))}${listOf(below)}`;
    return `<li${idOf(id ?? null)}${classOf([text])}>${inner}</li>`;
  });
  return all.length === 0 ? '' : `<ul>\n${all.join('\n')}\n</ul>\n`;
}

/** Returns a bar, with a text that states the same. */
function chart(parts: readonly Part[]): string {
  const total = parts.reduce((sum, { count }) => sum + count, 0);
  let at = 0;
  const bars = parts.map(({ mark, count }) => {
    const width = (100 * count) / total;
    at += width;
    return `<rect class="${mark}" x="${(at - width).toFixed(2)}%" width="${width.toFixed(2)}%" height="14"/>`;
  });
  const text = markup(parts.map(({ word, count }) => `${count} ${word}`).join(', '));
  return `<svg role="img" aria-labelledby="chart" width="100%" height="14"><title id="chart">${text}</title>${bars.join('')}</svg>\n<p class="dim">${text}</p>\n`;
}

export function inline(text: Text): string {
  return partsOf(text).map(part).join('');
}

function part(one: Inline): string {
  if (typeof one === 'string') return markup(one);
  if ('ours' in one) return markup(one.ours).replace(/`([^`]*)`/g, '<code>$1</code>');
  if ('code' in one) return `<code>${markup(one.code)}</code>`;
  if ('strong' in one) return `<strong>${inline(one.strong)}</strong>`;
  // By icon and word; the color adds no information.
  if ('mark' in one)
    return `<span class="${one.mark}">${ICONS[one.mark]}${one.word === undefined ? '' : markup(` ${capital(one.word)}`)}</span>`;
  return `<a href="#${markup(one.link)}">${markup(one.text ?? one.link)}</a>`;
}
