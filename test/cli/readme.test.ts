// README and the tour: every command line in them is typed into a shell, in its order, and prints what stands there.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CLEAN_REPOSITORY, insideAgent, scratch } from './spawned.js';
import { printedBy, type Typed, typedLines } from './typed-lines.js';

const test = suite('README');

const home = scratch({});
const prefix = scratch({});
const GIT = Object.fromEntries(Object.entries(CLEAN_REPOSITORY).filter(([name]) => name.startsWith('.git/')));

/** A repository of somebody who has never heard of policies. */
const shop = scratch({
  ...GIT,
  'package.json': '{ "name": "shop", "private": true, "scripts": { "test": "node --test", "build": "tsc" } }\n',
  'src/cart.ts': 'export const cart = [];\n',
});
const desk = scratch(GIT);
cpSync('test/fixtures/demo-repo', desk, { recursive: true });

/** A folder with the package of this version, as somebody has it who downloaded a release. */
const downloads = scratch({});
spawnSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', downloads], {
  env: { ...process.env, HOME: home },
});

const shown = typedLines('README.md');
const toured = typedLines('docs/tour.md');

/** What a line prints in the home of its reader. */
function answerTo({ line }: Typed, cwd: string): string {
  const prints = printedBy(line, line.startsWith('npm install') ? downloads : cwd, {
    PATH: `${prefix}/bin:${process.env.PATH ?? ''}`,
    HOME: home,
    npm_config_prefix: prefix,
    npm_config_update_notifier: 'false',
    npm_config_offline: 'true',
  });
  const settings = join(home, '.claude/settings.json');
  // The lines that follow ask the hook; the machine that runs the tests is busy with them.
  if (line.startsWith('policy install') && existsSync(settings))
    writeFileSync(settings, readFileSync(settings, 'utf8').replaceAll(' -k 1 1.5 ', ' -k 1 25 '));
  return prints;
}

/** Without the time that npm took, and without the warnings of newer versions of npm; installed where most readers have it. */
function normal(text: string): string {
  return text
    .replaceAll(`${prefix}/lib`, '/usr/lib')
    .replaceAll(/(?:^|\n)npm warn [^\n]*/g, '')
    .replace(/(?<=^(?:added|changed) 1 package) in \d+m?s$/m, '')
    .replace(/(?<= · )\d+\.\d s$/m, 'SECONDS');
}

const check = insideAgent ? test.skip : test;
for (const [lines, cwd] of [
  [shown, shop],
  [toured, desk],
] as const)
  for (const typed of lines)
    check(`${typed.section}: ${typed.line}`, () => {
      assert.is(normal(answerTo(typed, cwd)), normal(typed.prints));
    });

test('from an empty home to an enforced project it takes four commands', () => {
  const commands = shown.filter(({ line }) => /^npm install|^policy (?:init|install|audit)/.test(line));
  assert.is(commands.length, 4);
  assert.match(commands.at(-1)?.prints ?? '', /^\| AS-5 \| Failing Open \| ✅ Protected \|/m);
});

check('the pictures show what is printed today', () => {
  const { status, stderr } = spawnSync(process.execPath, ['.ci/picture.mjs', '--check'], { encoding: 'utf8' });
  assert.is(status, 0, stderr);
});

/** The files that a page links to, relative to the project, each with its anchor. */
function linksOf(page: string): readonly (readonly [file: string, anchor: string])[] {
  const text = readFileSync(page, 'utf8').replaceAll(/^ *```[\s\S]*?^ *```/gm, '');
  return [...text.matchAll(/(?:\]\(|src="|srcset=")([^)"\s]+)[)"]/g)].flatMap(([, target = '']) => {
    const [file = '', anchor = ''] = target.split('#');
    const isElsewhere = /^[a-z]+:/.test(target) || target.startsWith('../../actions/');
    return isElsewhere ? [] : [[file === '' ? page : join(dirname(page), file), anchor] as const];
  });
}

/** The anchor of a title, as GitHub makes it. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

test('every link leads somewhere, and every page of the documentation is at most two clicks away', () => {
  const isPage = (file: string) => file.endsWith('.md');
  const near = new Set(linksOf('README.md').map(([file]) => file));
  const reached = new Set([...near].filter(isPage).flatMap((page) => [page, ...linksOf(page).map(([file]) => file)]));
  const written = readdirSync('docs', { recursive: true, encoding: 'utf8' }).map((file) => join('docs', file));
  const pages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', ...written.filter(isPage)];
  for (const page of pages)
    for (const [file, anchor] of linksOf(page)) {
      assert.ok(existsSync(file), `${page} links to ${file}`);
      if (anchor === '' || !isPage(file)) continue;
      const titles = [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => anchorOf(title));
      assert.ok(titles.includes(anchor), `${page} links to ${file}#${anchor}`);
    }
  const isIndexed = (page: string) => existsSync(join(dirname(page), 'README.md'));
  const lost = pages.filter(
    (page) => page !== 'README.md' && !reached.has(page) && !(reached.has(dirname(page)) || isIndexed(page)),
  );
  assert.equal(lost, []);
});

test('the site has every page, and each of its links leads to a file and an anchor', () => {
  const site = scratch({});
  const { status, stderr } = spawnSync(process.execPath, ['.ci/site.mjs', site], { encoding: 'utf8' });
  assert.is(status, 0, stderr);
  const files = readdirSync(site, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.html'));
  const pages = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'));
  assert.ok(files.length === pages.length + 4, `${files.length} pages of the site, ${pages.length} of docs`);
  for (const file of files)
    for (const [, link = ''] of readFileSync(join(site, file), 'utf8').matchAll(/ (?:href|src|srcset)="([^"]*)"/g)) {
      if (/^[a-z]+:/.test(link)) continue;
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? join(site, file) : join(site, dirname(file), path);
      assert.ok(existsSync(target), `${file} links to ${link}`);
      if (anchor !== undefined && target.endsWith('.html'))
        assert.ok(readFileSync(target, 'utf8').includes(` id="${anchor}"`), `${file} links to ${link}`);
    }
});

test.run();
