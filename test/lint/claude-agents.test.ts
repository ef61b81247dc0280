// Real definitions, and what Claude Code 2.1.197 made of each: one that it does not load has an error, one that it loads has none that
// says so, and the errors that it has are listed here with their reason.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findFiles, type SourceFile } from '../../src/lint/files/read-files.js';
import { fileKind } from '../../src/lint/places/file-kind.js';
import { DEFAULT_OPTIONS } from '../../src/lint/run.js';
import { lint } from '../../src/runner/lint/linter.js';
import { lintTexts } from './linted.js';

const test = suite('lint of real definitions');
const FOLDER = 'test/fixtures/claude-agents';

/** What the client had to say when it was asked for its agents, by name. */
const expected: {
  readonly loaded: Readonly<Record<string, { readonly description: string }>>;
  readonly resolvedToolsAsSubagent: Readonly<Record<string, 'ALL' | readonly string[]>>;
} = JSON.parse(readFileSync(join(FOLDER, 'expected.json'), 'utf8'));

/** Files that the client did not load: none of the names that they hold is among those that it had. */
const NOT_LOADED: ReadonlySet<string> = new Set(
  `d-arr d-empty d-missing d-multi0 d-null d-num d-quote f-4dash f-blank f-bom f-comment f-json f-toml f-unclosed f-utf16 n-arr n-bool
  n-dash n-empty n-missing n-null n-num t-quoted y-case y-nameproto y-noesc`
    .split(/\s+/)
    .map((stem) => `${stem}.md`)
    .concat('f-ext.MD', 'f-mdx.mdx', 'f-txt.txt', 'f-yaml.yaml'),
);

/** Names that are not what stands behind `name:` in the file. */
const NAMES: Readonly<Record<string, string>> = {
  'n-newline.md': 'n-new\nline',
  'y-flow.md': 'y-flow',
  'y-proto.md': 'y-proto',
  'y-tag.md': 'y-tag',
};

/** Rules whose errors say that the runner does not load the file, or not what is in it. */
const SAYS_NOT_LOADED: ReadonlySet<string> = new Set([
  'discovery/ignored-extension',
  'discovery/unreadable',
  'schema/encoding',
  'schema/field-case',
  'schema/foreign-front-matter',
  'schema/front-matter-not-first',
  'schema/front-matter-unclosed',
  'schema/missing-description',
  'schema/missing-name',
  'schema/no-front-matter',
  'schema/syntax-error',
  'schema/too-large',
  'schema/wrong-type',
]);

/** Loaded by 2.1.197, and no longer by 2.1.332 (tried with both). */
const LATER = 'm-hooks.md';
const NO_TOOLS = 'loaded, and left without any tool';
/** Errors in files that are loaded: by rule, each with the reason why somebody has to act. */
const TRUE_ERRORS: Readonly<Record<string, readonly [rule: string, why: string]>> = {
  'f-nul.md': [
    'schema/invalid-definition',
    'YAML has no NUL; policy takes the definition for invalid, and says that the client does not',
  ],
  [LATER]: ['hooks/wrong-shape', '2.1.332 does not load it'],
  'm-bypass.md': ['permissions/bypass-mode', 'it really bypasses'],
  'n-newline.md': ['naming/illegal-name', 'the line break is put raw into the system message'],
  't-allowed-tools.md': ['tools/misspelled-key', 'the agent has every tool'],
  't-allowedTools.md': ['tools/misspelled-key', 'the agent has every tool'],
  't-bashcomma.md': ['tools/specifier-ignored', 'the agent has all of Bash'],
  't-bashspec.md': ['tools/specifier-ignored', 'the agent has all of Bash'],
  't-json.md': ['tools/specifier-ignored', 'the agent has all of Bash'],
  't-bool.md': ['tools/resolves-to-nothing', NO_TOOLS],
  't-empty.md': ['tools/resolves-to-nothing', NO_TOOLS],
  't-emptyarr.md': ['tools/resolves-to-nothing', NO_TOOLS],
  't-lower.md': ['tools/resolves-to-nothing', NO_TOOLS],
  't-map.md': ['tools/resolves-to-nothing', NO_TOOLS],
  't-newline.md': ['tools/resolves-to-nothing', NO_TOOLS],
  't-null.md': ['tools/resolves-to-nothing', NO_TOOLS],
  't-num.md': ['tools/resolves-to-nothing', NO_TOOLS],
  't-unbal.md': ['tools/resolves-to-nothing', NO_TOOLS],
  't-unknown.md': ['tools/resolves-to-nothing', NO_TOOLS],
  't-semi.md': ['tools/bad-separator', 'the first tool is lost'],
  'x-bypassPermissions.md': ['permissions/bypass-mode', 'it really bypasses'],
  'y-dupkey.md': ['schema/duplicate-key', 'the first value is lost'],
  'y-merge.md': ['schema/invalid-definition', 'policy follows no merge key'],
  'y-proto.md': ['schema/invalid-definition', '__proto__ only makes sense as an attack'],
  'y-tabindent.md': ['schema/invalid-definition', 'tabs indent nothing in YAML; the client 2.1.329 skips the file'],
};

const paths = readdirSync(FOLDER, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name !== 'expected.json')
  .map((entry) => relative(FOLDER, join(entry.parentPath, entry.name)).split(sep).join('/'))
  .sort();
/** Each as it would be found below `.claude/agents`. */
const found = new Map<string, SourceFile>(
  findFiles(FOLDER, { kindOf: (path) => fileKind(`.claude/agents/${path}`), isNamed: () => false }).files.map((file) => [
    file.path,
    { ...file, path: `.claude/agents/${file.path}` },
  ]),
);

for (const path of paths) {
  const file = found.get(path);
  const { findings } = lint({ files: file === undefined ? [] : [file], incomplete: [] }, DEFAULT_OPTIONS);
  const errors = [...new Set(findings.filter(({ severity }) => severity === 'error').map(({ ruleId }) => ruleId))];
  const [rule, why] = TRUE_ERRORS[path] ?? [];
  if (NOT_LOADED.has(path)) {
    test(`${path}: not loaded, an error`, () => assert.ok(errors.length > 0, 'it says why the file is not loaded'));
  } else {
    test(`${path}: loaded, ${rule === undefined ? 'no error' : `${rule} (${why})`}`, () => {
      assert.equal(errors, rule === undefined ? [] : [rule]);
      assert.equal(
        errors.filter((id) => SAYS_NOT_LOADED.has(id)),
        [],
      );
      for (const { severity, message } of findings)
        if (severity === 'error' && path !== LATER) assert.not.match(message, /not (?:loaded|read as)|does not load|do not load/);
    });
  }
}

test('which files are loaded is what the client said', () => {
  for (const path of paths) {
    const text = readFileSync(join(FOLDER, path), 'utf8');
    const written = /^\s*['"]?name['"]?:[ \t]*(.*?)\s*$/im.exec(text)?.[1]?.replace(/^"(.*)"$/, '$1') ?? '';
    const name = NAMES[path] ?? written;
    // x-*.md belong to another run, which was about permission modes; the client had them all.
    const isLoaded = path.startsWith('x-') || Object.hasOwn(expected.loaded, name);
    assert.is(isLoaded, !NOT_LOADED.has(path), `${path}: ${name}`);
  }
  assert.ok(paths.length > 120, String(paths.length));
});

test('an agent is without tools for lint where the client gave it none, and nowhere else', () => {
  for (const [key, tools] of Object.entries(expected.resolvedToolsAsSubagent)) {
    const stem = key.replace('(--agent)', '');
    // Its server was not connected, which no file tells.
    if (stem === 't-mcp') continue;
    const text = readFileSync(join(FOLDER, `${stem}.md`), 'utf8');
    const ids = lintTexts({ [`.claude/agents/${stem}.md`]: text }).findings.map(({ ruleId }) => ruleId);
    assert.is(ids.includes('tools/resolves-to-nothing'), tools.length === 0, stem);
  }
});

test.run();
