// Writes docs/rules/: one page per family of lint rules and a list of all, from the rules' own documentation; docs/protected-files.md from
// rules/protected.yaml; and man/policy.1 from the help of the commands.
// `node .ci/docs.mjs --check` writes nothing and fails when a page is not what it would write. Needs a build.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, 'docs', 'rules');
const { rules } = await import(join(root, 'build/src/runner/lint/rules.js'));

const TITLES = {
  claude: 'Claude Code',
  codex: 'Flags of Codex and Claude Code',
  content: 'What a text hides',
  delegation: 'Agents that start agents',
  dialect: 'What one runner reads differently',
  copilot: 'Copilot CLI',
  cursor: 'Cursor',
  discovery: 'Which files count',
  gemini: 'Gemini CLI',
  hooks: 'Hooks',
  legacy: 'Left over from older runners',
  mcp: 'MCP servers',
  naming: 'Names of agents',
  opencode: 'OpenCode',
  overlay: 'Permissions inside a definition',
  permissions: 'Rules that allow too much',
  plugins: 'Plugins',
  policy: 'Policy files and settings of lint',
  preset: 'Presets',
  prompt: 'Prompts and tools',
  rules: 'Permission rules',
  sandbox: 'The sandbox',
  schema: 'The form of a file',
  secrets: 'Credentials',
  settings: 'Settings of coding agents',
  skills: 'Skills and commands',
  tools: 'Tool lists',
};

const pages = new Map([
  ['../protected-files.md', protectedFiles()],
  ['README.md', index()],
  ...families().map((family) => [`${family}.md`, page(family)]),
]);
const stale = [...new Set([...pages.keys(), ...existing()])].filter((name) => !isCurrent(name));
const manual = join(root, 'man', 'policy.1');
const manualText = await manualOf();
const isManualCurrent = existsSync(manual) && readFileSync(manual, 'utf8') === manualText;
if (process.argv.includes('--check')) {
  if (!isManualCurrent) console.error('man/policy.1 is out of date: run node .ci/docs.mjs');
  for (const name of stale) console.error(`docs/rules/${name} is out of date: run node .ci/docs.mjs`);
  process.exitCode = stale.length === 0 && isManualCurrent ? 0 : 1;
} else {
  mkdirSync(dirname(manual), { recursive: true });
  writeFileSync(manual, manualText);
  mkdirSync(folder, { recursive: true });
  for (const name of stale) {
    if (pages.has(name)) writeFileSync(join(folder, name), pages.get(name));
    else rmSync(join(folder, name));
  }
  console.log(`${pages.size} pages for ${rules.length} rules, ${stale.length} written`);
}

/** The lists of rules/protected.yaml with their comments. */
function protectedFiles() {
  const HEADS = {
    starting: 'Files whose commands coding agents start',
    deny: 'Denied',
    ask: 'Asked about',
    anywhere: 'In any folder',
    home: 'In the home folder',
    absolute: 'On the machine',
  };
  const lines = readFileSync(join(root, 'rules/protected.yaml'), 'utf8').split('\n');
  const text = lines.slice(lines.indexOf('version: 1') + 1).flatMap((line) => {
    const [, blanks = '', comment, key, item] = /^( *)(?:# (.*)|(\w+):(?: \[\])?|- "?([^"]*)"?)$/.exec(line) ?? [];
    if (comment !== undefined) return [comment];
    if (key !== undefined) return ['', `${blanks === '' ? '##' : '###'} ${HEADS[key]}`, ''];
    return item === undefined ? [] : [`- \`${item}\``];
  });
  const spaced = text.flatMap((line, at) =>
    /^[-#]/.test(line) === /^[-#]/.test(text[at - 1] ?? '') || line === '' ? [line] : ['', line],
  );
  return `<!-- Made by .ci/docs.mjs from rules/protected.yaml; do not edit. -->
# Protected files

Whatever the rules allow, a write to one of these files is denied or asks, by every route that a call shows. A folder covers everything
below it. \`protected.except\` of the policy takes patterns out. Files that may hold secrets (\`.env\`, keys) ask, too.
${spaced.join('\n').replace(/\n{3,}/g, '\n\n')}
`;
}

async function manualOf() {
  const { commands } = await import(join(root, 'build/src/cli/commands.js'));
  const { manPage } = await import(join(root, 'build/src/cli/man-page.js'));
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return manPage(await Promise.all(commands.map(async (entry) => [entry, await entry.load()])), version);
}

function existing() {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.md'));
  } catch {
    return [];
  }
}

function isCurrent(name) {
  try {
    return readFileSync(join(folder, name), 'utf8') === pages.get(name);
  } catch {
    return false;
  }
}

function families() {
  return [...new Set(rules.map(({ id }) => familyOf(id)))];
}

function familyOf(id) {
  return id.slice(0, id.indexOf('/'));
}

function index() {
  const sections = families().map((family) => {
    const rows = rules
      .filter(({ id }) => familyOf(id) === family)
      .map(({ id, severity, docs }) => `| [\`${id}\`](${family}.md#${anchor(id)}) | ${severity} | ${cell(docs.what)} |`);
    return `## ${title(family)}\n\n| rule | severity | what it reports |\n| --- | --- | --- |\n${rows.join('\n')}\n`;
  });
  return `<!-- Made by .ci/docs.mjs from the lint rules; do not edit. -->
# Lint rules

\`policy lint\` checks agent definitions and policies with ${rules.length} rules. \`policy lint --explain RULE\` shows one of them.
A trusted policy sets their levels and accepts findings:

\`\`\`yaml
lint:
  rules: { naming/filename-mismatch: off, tools/inherits-all: warning }
  ignores:
    - { rule: permissions/network-wildcard, path: .codex/agents/*, reason: These agents run in a container. }
\`\`\`

A comment accepts the findings of the next line: \`# policy-disable-next-line tools/inherits-all -- it may do everything\`, in Markdown
\`<!-- policy-disable-next-line secrets/literal -->\`. With \`--no-comments\` none of them counts, for files that you did not write.

${sections.join('\n')}`;
}

function page(family) {
  const sections = rules.filter(({ id }) => familyOf(id) === family).map(section);
  return `<!-- Made by .ci/docs.mjs from the lint rules; do not edit. -->
# ${title(family)}

${sections.join('\n')}`;
}

function section({ id, severity, confidence, persona, docs }) {
  return `## ${id}

${docs.what} ${docs.why}

Severity: ${severity}. Confidence: ${confidence}. For the ${persona}.

Reported:

${block(docs.bad)}

Not reported:

${block(docs.good)}

${docs.fix}
${originOf(docs)}`;
}

/** Whose files a rule is about, and where what it says is from. */
function originOf({ runners, source, verifiedOn }) {
  const parts = [
    runners && `Runners: ${runners.join(', ')}.`,
    source && `Source: ${source}.`,
    verifiedOn && `Verified with ${verifiedOn}.`,
  ].filter(Boolean);
  return parts.length === 0 ? '' : `\n${parts.join(' ')}\n`;
}

/** A code block; the examples have backticks, so it is indented. */
function block(text) {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? '' : `    ${line}`))
    .join('\n');
}

function title(family) {
  if (TITLES[family] === undefined) throw new Error(`.ci/docs.mjs has no title for the rules ${family}/…`);
  return TITLES[family];
}

function anchor(id) {
  return id.replace('/', '');
}

function cell(text) {
  return text.replaceAll('|', '\\|');
}
