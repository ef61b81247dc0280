// Writes the documentation as a static site: `node .ci/site.mjs [FOLDER]` (default: site). The navigation is that of docs/README.md. The pages
// load nothing from elsewhere, and work from the file system.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Marked } from 'marked';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const target = resolve(process.argv[2] ?? join(root, 'site'));
const START = 'docs/README.md';

const written = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'));
const pages = [
  'README.md',
  'SECURITY.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...written.map((file) => posix.join('docs', file.replaceAll('\\', '/'))),
];
const isPage = new Set(pages);
const copied = new Set();
const sections = [];

rmSync(target, { recursive: true, force: true });
const navigation = groups();
for (const page of pages) write(urlOf(page), document(page));
for (const file of copied) {
  mkdirSync(dirname(join(target, file)), { recursive: true });
  cpSync(join(root, file), join(target, file));
}
for (const file of ['style.css', 'search.js']) cpSync(join(root, '.ci/site', file), join(target, file));
write('sections.js', `globalThis.sections = ${JSON.stringify(sections)};\n`);
console.log(
  `${pages.length} pages, ${sections.length} sections, ${copied.size} files: ${relative(process.cwd(), target) || '.'}`,
);

function write(file, text) {
  mkdirSync(dirname(join(target, file)), { recursive: true });
  writeFileSync(join(target, file), text);
}

/** docs/README.md is a list of links, and README.md the first page. */
function urlOf(page) {
  return page === 'README.md' ? 'index.html' : page.replace(/README\.md$/, 'index.html').replace(/\.md$/, '.html');
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** The text of Markdown without its marks. */
function plain(tokens) {
  return (tokens ?? []).map((token) => (token.tokens ? plain(token.tokens) : (token.text ?? ''))).join('');
}

/** The anchor of a title, as GitHub makes it. */
function anchorOf(title) {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** The titles of docs/README.md, each with its links: page and name. */
function groups() {
  const text = readFileSync(join(root, START), 'utf8');
  return text
    .split(/^## /m)
    .slice(1)
    .map((part) => ({
      title: part.slice(0, part.indexOf('\n')),
      links: [...part.matchAll(/\[([^\]]+)\]\(([^)#]+\.md)(?:#[^)]*)?\)/g)].map(([, name, link]) => ({
        name: name.replaceAll('`', ''),
        page: posix.join('docs', link),
      })),
    }));
}

/** Where a link of a page leads in the site; null for a folder that has no page. */
function hrefOf(page, link) {
  if (/^[a-z]+:|^#/.test(link) || link.startsWith('../../actions/')) return link.startsWith('../') ? null : link;
  const [path, anchor] = link.split('#');
  const file = posix.join(posix.dirname(page), path);
  const from = posix.dirname(urlOf(page));
  const hash = anchor === undefined ? '' : `#${anchor}`;
  const listed = posix.join(file, 'README.md');
  if (isPage.has(file) || isPage.has(listed)) return posix.relative(from, urlOf(isPage.has(file) ? file : listed)) + hash;
  if (!existsSync(join(root, file))) throw new Error(`${page} links to ${file}`);
  if (statSync(join(root, file)).isDirectory()) return null;
  copied.add(file);
  return posix.relative(from, file) + hash;
}

function document(page) {
  const text = readFileSync(join(root, page), 'utf8');
  const marked = new Marked({ gfm: true });
  const tokens = marked.lexer(text);
  const title = plain(tokens.find(({ type, depth }) => type === 'heading' && depth === 1)?.tokens) || page;
  const name = page === 'README.md' ? 'Start' : title;
  let section = { page: name, title: name, text: '', url: urlOf(page) };
  sections.push(section);
  for (const token of tokens)
    if (token.type === 'heading' && token.depth > 1) {
      const heading = plain(token.tokens);
      section = { page: name, title: heading, text: '', url: `${urlOf(page)}#${anchorOf(heading)}` };
      sections.push(section);
    } else if (token.type !== 'heading')
      section.text += ` ${(token.raw ?? '').replaceAll(/[`*|]|\]\([^)]*\)|<[^>]+>/g, '')}`.replaceAll(/\s+/g, ' ');
  marked.use({ renderer: rendererOf(page) });
  return shell(page, title, marked.parser(tokens));
}

function rendererOf(page) {
  return {
    heading({ tokens, depth }) {
      return `<h${depth} id="${escaped(anchorOf(plain(tokens)))}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      const to = hrefOf(page, href);
      const inner = this.parser.parseInline(tokens);
      return to === null ? inner : `<a href="${escaped(to)}">${inner}</a>`;
    },
    image({ href, text }) {
      const to = hrefOf(page, href);
      return to === null ? '' : `<img src="${escaped(to)}" alt="${escaped(text)}">`;
    },
    html({ text }) {
      return text.replaceAll(/(src|srcset|href)="([^"]+)"/g, (_, key, link) => `${key}="${escaped(hrefOf(page, link) ?? '#')}"`);
    },
    code({ text }) {
      return `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`;
    },
    table(token) {
      const inner = ({ tokens }) => this.parser.parseInline(tokens);
      const heads = token.header.map((cell) => (cell.text === '' ? '<td></td>' : `<th>${inner(cell)}</th>`));
      // On a narrow screen each row is a card, and its cells name their columns.
      const named = (cell, column) => `<td data-column="${escaped(plain(token.header[column]?.tokens))}">${inner(cell)}</td>`;
      const rows = token.rows.map((cells) => `<tr>${cells.map(named).join('')}</tr>\n`);
      const isNamed = token.header.some(({ text }) => text !== '');
      const head = isNamed ? `<thead><tr>${heads.join('')}</tr></thead>` : '';
      return `<div class="scroll" tabindex="0"><table>${head}<tbody>${rows.join('')}</tbody></table></div>\n`;
    },
  };
}

function shell(page, title, body) {
  const up = posix.relative(posix.dirname(urlOf(page)), '.');
  const top = up === '' ? './' : `${up}/`;
  const entry = ({ page: to, name }) =>
    `<li><a href="${top}${urlOf(to)}"${to === page ? ' aria-current="page"' : ''}>${escaped(name)}</a></li>`;
  const groupsOfPage = navigation
    .map(
      ({ title: group, links }) =>
        `<details${links.some(({ page: to }) => to === page) || page === 'README.md' || page === START ? ' open' : ''}><summary>${escaped(group)}</summary><ul>${links.map(entry).join('')}</ul></details>`,
    )
    .join('\n');
  return `<!doctype html>
<html lang="en" data-root="${top}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'self' file:; script-src 'self' file:; img-src 'self' file:">
<title>${escaped(title === 'policy' ? 'policy' : `${title} · policy`)}</title>
<link rel="stylesheet" href="${top}style.css">
<script defer src="${top}search.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header><a class="name" href="${top}index.html">policy</a>
<search><label hidden for="search">Search</label><input id="search" type="search" placeholder="Search" aria-label="Search the documentation" autocomplete="off"><ul hidden aria-label="Sections found"></ul><span role="status" class="skip"></span></search>
<a href="${top}docs/index.html"${page === START ? ' aria-current="page"' : ''}>All pages</a></header>
<div class="page">
<main id="content">
${body}</main>
<nav aria-label="Pages">
${groupsOfPage}
</nav>
</div>
</body>
</html>
`;
}
