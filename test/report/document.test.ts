// Wherever a stranger's text may stand in a document, both printers leave it text.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Block, list, paragraph, section, table } from '../../src/report/printing/document.js';
import { asHtml } from '../../src/report/printing/html.js';
import { asMarkdown } from '../../src/report/printing/markdown.js';

const EVIL = '<img src=x onerror=a(1)> "\u202e\n# y';

const blocks: readonly (readonly [where: string, block: Block])[] = [
  ['a paragraph', paragraph(EVIL)],
  ['strong words', paragraph({ strong: EVIL })],
  ['code', paragraph({ code: EVIL })],
  ['a word behind a mark', paragraph({ mark: 'missing', word: EVIL })],
  ['the text of a link', paragraph({ link: 'RM-1', text: EVIL.replace('<', '&lt;') })],
  ['the target of a link', paragraph({ link: EVIL, text: 'x' })],
  ['a list', list([EVIL])],
  ['a list in a list', { kind: 'list', items: [{ text: 'x', below: [{ text: EVIL }] }] }],
  ['lines of an entry', { kind: 'list', items: [{ text: 'x', id: EVIL, lines: [EVIL] }] }],
  ['a cell', table(['Head'], [[EVIL], ['x'], [{ code: EVIL }]])],
  ['the first cell of a row', table([EVIL.replace('<', '&lt;'), 'Head'], [[EVIL, EVIL]])],
  ['a block of code', { kind: 'code', lines: [EVIL] }],
  ['a patch', { kind: 'patch', diff: `-${EVIL}` }],
  ['a line with marks', { kind: 'frame', lines: [[{ style: 'primary', text: EVIL }]] }],
  ['what is folded', { kind: 'folded', title: EVIL, blocks: [paragraph(EVIL)] }],
  ['what only a page shows', { kind: 'page', blocks: [paragraph(EVIL)] }],
  ['a chart', { kind: 'chart', parts: [{ mark: 'missing', word: EVIL, count: 1 }] }],
  ['a title', section([EVIL], EVIL, [paragraph('x')])],
  ['a title that is one string', section(EVIL, null, [paragraph('x')])],
];

for (const [where, one] of blocks)
  test(`a stranger's text: ${where}`, () => {
    const document = section({ ours: 'Title' }, 'title', [one]);
    const page = asHtml(document);
    assert.not.match(page, /<img|\u202e|&(?!(?:amp|lt|gt|quot|#39);)/);
    assert.not.match(page.replace(/="[^"]*"/g, ''), /<[^>]*onerror/);
    const markdown = asMarkdown(document);
    const outside = markdown.replace(/^ *```[\s\S]*?^ *```$/gm, '').replace(/`[^`]*`/g, '');
    assert.not.match(outside, /(?<!\\)<img/);
    assert.not.match(markdown, /\u202e/);
    if (one.kind !== 'patch') assert.not.match(markdown, /^# y/m);
  });

test('words of ours keep their Markdown, and their commands are code on a page', () => {
  const document = section({ ours: 'Title' }, 'title', [paragraph({ ours: 'Run `a <b>`.' })]);
  assert.is(asMarkdown(document), '# Title\n\nRun `a <b>`.\n');
  assert.match(asHtml(document), /<p>Run <code>a &lt;b&gt;<\/code>\.<\/p>/);
});

test('what only a page has room for leaves nothing in Markdown', () => {
  const details: Block = { kind: 'page', blocks: [paragraph('details')] };
  const document = section({ ours: 'Title' }, 'title', [paragraph('a'), details, paragraph('b')]);
  assert.is(asMarkdown(document), '# Title\n\na\n\nb\n');
  assert.match(asHtml(document), /<p>details<\/p>/);
});

test.run();
