// Real definitions, and what Claude Code 2.1.197 made of them: what it does not load has an error, what it loads has none
// but those that are listed here with their reason.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseAgent } from '../../src/agent/parse.js';
import { findFiles } from '../../src/lint/read-files.js';
import { DEFAULT_OPTIONS, lint } from '../../src/lint/run.js';

const test = suite('lint of real definitions');
const FOLDER = 'test/fixtures/claude-agents';
const expected: { readonly loaded: object } = JSON.parse(readFileSync(join(FOLDER, 'expected.json'), 'utf8'));
const loaded = new Set(Object.keys(expected.loaded));

const NO_TOOLS = 'loaded, and left without any tool';
/** Errors in files that are loaded: by rule, each with the reason why somebody has to act. */
const TRUE_ERRORS: Readonly<Record<string, readonly [rule: string, why: string]>> = {
  'f-nul.md': ['schema/syntax-error', 'YAML has no NUL; policy takes the definition for invalid'],
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
  't-unknown.md': ['tools/resolves-to-nothing', NO_TOOLS],
  't-semi.md': ['tools/bad-separator', 'the first tool is lost'],
  'y-dupkey.md': ['schema/duplicate-key', 'the first value is lost'],
  'y-merge.md': ['schema/invalid-definition', 'policy follows no merge key'],
  'y-proto.md': ['schema/invalid-definition', '__proto__ only makes sense as an attack'],
  'y-tabindent.md': ['schema/syntax-error', 'tabs indent nothing in YAML'],
};

const paths = readdirSync(FOLDER, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
  .map((entry) => relative(FOLDER, join(entry.parentPath, entry.name)))
  .sort();
const asAgents = findFiles(FOLDER, (path) => (path.endsWith('.md') ? { kind: 'agent', dialect: 'claude-code' } : null));

for (const path of paths) {
  const one = asAgents.files.filter((file) => file.path === path);
  const { findings } = lint({ files: one, incomplete: [] }, DEFAULT_OPTIONS);
  const errors = [...new Set(findings.filter(({ severity }) => severity === 'error').map(({ ruleId }) => ruleId))];
  const { rawName, status } = parseAgent(one[0]?.text ?? '', { file: path, dialect: 'claude-code', scope: 'project' });
  const [rule, why] = TRUE_ERRORS[path] ?? [];
  // x-*.md belong to another run, which was about permission modes.
  const isLoaded = loaded.has(rawName) || path.startsWith('x-') || rule !== undefined;

  test(`${path}: ${rule === undefined ? (isLoaded ? 'loaded, no error' : 'not loaded, an error') : `${rule} (${why})`}`, () => {
    if (rule !== undefined) assert.equal(errors, [rule]);
    else if (path === 'x-bypassPermissions.md') assert.equal(errors, ['permissions/bypass-mode']);
    else if (isLoaded && status === 'active') assert.equal(errors, []);
    else assert.ok(errors.length > 0, 'it says why the file is not loaded');
  });
}

test('there are files to compare', () => assert.ok(paths.length > 100, String(paths.length)));

test.run();
