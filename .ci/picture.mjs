// `node .ci/picture.mjs [--check]`: draws the terminal of the README from real output, for light and for dark pages, and its badges, in
// docs/pictures/.
// `--check` changes nothing and fails if a picture is out of date.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const LINES = [
  ['Bash', 'git status && git diff --stat'],
  ['Bash', 'npm run format'],
  ['Bash', 'npm test; rm -rf build'],
  ['Bash', 'git log -1 --output=.git/hooks/pre-commit'],
  ['Bash', 'timeout 5 cat .env'],
];
const COLUMNS = 100;
const LETTER = 8.4;
const HEIGHT = 20;
const MARGIN = 20;
/** Colours by the code of the terminal; null: plain text. */
const THEMES = {
  light: { page: '#ffffff', edge: '#d0d7de', null: '#1f2328', 2: '#59636e', 31: '#cf222e', 32: '#1a7f37', 33: '#9a6700' },
  dark: { page: '#0d1117', edge: '#30363d', null: '#e6edf3', 2: '#9198a1', 31: '#ff7b72', 32: '#3fb950', 33: '#d29922' },
};

const { version, license, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const drawn = rows();
const pictures = {
  'terminal-light': picture(THEMES.light),
  'terminal-dark': picture(THEMES.dark),
  version: badge('version', version),
  licence: badge('licence', license),
  node: badge('node', engines.node),
};
const stale = Object.entries(pictures).filter(([name, svg]) => {
  const file = join(root, 'docs', 'pictures', `${name}.svg`);
  if (existsSync(file) && readFileSync(file, 'utf8') === svg) return false;
  if (!process.argv.includes('--check')) writeFileSync(file, svg);
  return true;
});
if (process.argv.includes('--check') && stale.length > 0) {
  console.error('The pictures of the README are out of date: node .ci/picture.mjs draws them again.');
  process.exit(1);
}

/** What the terminal shows, in lines of COLUMNS letters with the codes of its colours. */
function rows() {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'policy-picture-')));
  const project = join(home, 'shop');
  cpSync(join(root, 'test', 'fixtures', 'demo-repo'), project, { recursive: true });
  mkdirSync(join(project, '.git'));
  writeFileSync(join(project, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  const env = { PATH: process.env.PATH ?? '', HOME: home, FORCE_COLOR: '1' };
  const policy = (...args) =>
    spawnSync(process.execPath, [join(root, 'bin', 'policy.js'), ...args], { cwd: project, env, encoding: 'utf8' });
  policy('trust', '--yes');
  const shown = LINES.flatMap(([tool, line]) => {
    const printed = policy('check', tool, line).stdout.trimEnd().split('\n');
    return [`$ policy check ${tool} "${line}"`, ...printed.flatMap(folded), ''];
  });
  rmSync(home, { recursive: true });
  return shown.slice(0, -1);
}

/** Folds a line as a terminal of COLUMNS columns does, between words. */
function folded(line) {
  const made = [''];
  for (const word of line.split(/(?<= )/)) {
    if (seen(made.at(-1) + word).trimEnd().length > COLUMNS) made.push('  ');
    made.push(made.pop() + word);
  }
  return made;
}

function seen(text) {
  return text.replaceAll(/\x1b\[\d+m/g, '');
}

function picture(theme) {
  const width = Math.ceil(COLUMNS * LETTER + 2 * MARGIN);
  const height = drawn.length * HEIGHT + 2 * MARGIN;
  const texts = drawn.map((line, index) => {
    const y = MARGIN + (index + 0.75) * HEIGHT;
    return line === '' ? '' : `<text x="${MARGIN}" y="${y}" xml:space="preserve">${spans(line, theme)}</text>\n`;
  });
  const label = escaped(drawn.map(seen).join('\n'));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
<title>policy check answers five calls</title>
<desc>${label}</desc>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8" fill="${theme.page}" stroke="${theme.edge}"/>
<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="14" fill="${theme.null}">
${texts.join('')}</g>
</svg>
`;
}

/** A badge that no server draws: a name and a value side by side. */
function badge(name, value) {
  const widths = [name, value].map((text) => Math.ceil(text.length * 6.6 + 12));
  const width = widths[0] + widths[1];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" viewBox="0 0 ${width} 20" role="img">
<title>${escaped(`${name}: ${value}`)}</title>
<rect width="${width}" height="20" rx="3" fill="#424a53"/>
<path d="M${widths[0]} 0h${widths[1] - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3H${widths[0]}z" fill="#0550ae"/>
<g fill="#ffffff" font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="11">
<text x="6" y="14">${escaped(name)}</text>
<text x="${widths[0] + 6}" y="14">${escaped(value)}</text>
</g>
</svg>
`;
}

/** The parts of a line between the codes of colours. */
function spans(line, theme) {
  let colour = null;
  let isBold = line.startsWith('$ ');
  return line
    .split(/(\x1b\[\d+m)/)
    .map((part) => {
      const code = /^\x1b\[(\d+)m$/.exec(part)?.[1];
      if (code === undefined) {
        const style = `${colour === null ? '' : ` fill="${theme[colour]}"`}${isBold ? ' font-weight="bold"' : ''}`;
        return style === '' || part === '' ? escaped(part) : `<tspan${style}>${escaped(part)}</tspan>`;
      }
      if (code === '1') isBold = true;
      else if (code in theme) colour = code;
      // 22 ends both bold and dim text, 39 the colour.
      if (code === '22') isBold = false;
      if (code === '39' || (code === '22' && colour === '2')) colour = null;
      return '';
    })
    .join('');
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
