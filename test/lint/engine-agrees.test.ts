// Lint and the engine read a definition alike: what the engine does not use is told, and what lint has nothing against the engine uses.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseFile } from '../../src/lint/files/files.js';
import { fileKind } from '../../src/lint/places/file-kind.js';
import { lintTexts } from './linted.js';
import { rows } from './tables.js';

const test = suite('lint and engine agree');
const FOLDER = 'test/fixtures/claude-agents';

/** Every definition of the tables and of the fixtures, each by itself. */
const definitions: readonly (readonly [path: string, text: string])[] = [
  ...rows.flatMap(({ texts }) => Object.entries(texts)),
  ...readdirSync(FOLDER, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'expected.json')
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file): [string, string] => [
      `.claude/agents/${relative(FOLDER, file).split(sep).join('/')}`,
      readFileSync(file, 'utf8'),
    ]),
];

test('of a definition that the engine does not use its author is told, and one without findings is used', () => {
  let invalid = 0;
  let clean = 0;
  for (const [path, text] of definitions) {
    const kind = fileKind(path);
    if (kind?.kind !== 'agent') continue;
    const file = parseFile({ path, kind, text, problem: null });
    if (file.kind !== 'agent') continue;
    const { findings } = lintTexts({ [path]: text });
    const isUsed = file.definition.status !== 'invalid';
    if (!isUsed) {
      invalid++;
      assert.ok(
        findings.some(({ persona, location }) => persona !== 'auditor' && location.file === path),
        `${path} is not used, and lint says nothing:\n${text.slice(0, 400)}`,
      );
    }
    if (findings.length === 0) {
      clean++;
      assert.ok(isUsed, `${path}\n${text.slice(0, 400)}`);
    }
  }
  assert.ok(invalid > 60 && clean > 60, `${invalid} not used, ${clean} without findings`);
});

test.run();
