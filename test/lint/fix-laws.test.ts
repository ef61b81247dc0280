// What holds of every correction: the text is still valid, all that the corrections do not name stays byte for byte, and a second run
// has nothing to do. Asked of every text of the tables of this folder and of every fixture, as they are and changed.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { corrections, type FixLevel } from '../../src/cli/lint/fix.js';
import { parseFile } from '../../src/lint/files/files.js';
import type { FoundFiles, SourceFile } from '../../src/lint/files/read-files.js';
import { DEFAULT_OPTIONS } from '../../src/lint/run.js';
import type { Fix, LintReport } from '../../src/lint/text/finding.js';
import { fixText, type Refused } from '../../src/lint/text/fix.js';
import { lint } from '../../src/runner/lint/linter.js';
import { seed } from '../seed.js';
import { randomFrom } from './inclusion/patterns.js';
import { found, type Texts } from './linted.js';
import { rows } from './tables.js';

const test = suite('laws of corrections');

/** Texts by their names, each set linted as one project. */
const PROJECTS: readonly Texts[] = [
  ...rows.map(({ texts }) => texts),
  ...['demo-repo', 'hostile-repo', 'collections/copilot', 'collections/many-runners', 'collections/marketplace'].map((folder) =>
    textsBelow(join('test/fixtures', folder)),
  ),
  ...Object.entries(textsBelow('test/fixtures/claude-agents')).map(([path, text]) => ({ [`.claude/agents/${path}`]: text })),
];

function textsBelow(folder: string): Texts {
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [relative(folder, file).split(sep).join('/'), readFileSync(file, 'utf8')]),
  );
}

/** The same text as others save it. */
const VARIANTS: readonly (readonly [name: string, change: (text: string, path: string) => string])[] = [
  ['as it is', (text) => text],
  ['CR LF', (text) => text.replaceAll(/\r?\n/g, '\r\n')],
  ['a byte order mark', (text) => (text.startsWith('\uFEFF') ? text : `\uFEFF${text}`)],
  ['no line end at its end', (text) => text.replace(/[\r\n]+$/, '')],
  [
    'other characters before and behind',
    (text, path) => (/\.(?:json|toml|rules)$/.test(path) ? text : text.replaceAll(/(?<=: [A-Z])/g, '\u{1f680}é')),
  ],
  ['every list written twice in its line', twiceInALine],
  ['entries of lists twice', (text) => text.replaceAll(/^([ \t]+- [^\n]*\n)/gm, '$1$1')],
];

/** `[a, b]` becomes `[a, b, a, b]`: what is wrong with an entry is wrong twice on its line. */
function twiceInALine(text: string): string {
  return text.replaceAll(/\[([^[\]{}\n]+)\]/g, (whole, inner: string) => (inner.trim() === '' ? whole : `[${inner}, ${inner}]`));
}

/** All texts as they are; in each other form those that the day's seed picks, since all of them take a minute (`FIX_LAWS=all`). */
function chosen(variant: string): readonly Texts[] {
  if (variant === 'as it is' || process.env.FIX_LAWS === 'all') return PROJECTS;
  const random = randomFrom(seed);
  return PROJECTS.filter(() => random() < 0.12);
}

interface Count {
  texts: number;
  changed: number;
  fixes: number;
}
const counts: Count = { texts: 0, changed: 0, fixes: 0 };
/** Rules that offered a correction, and those whose corrections were written. */
const offered = new Set<string>();
const written = new Set<string>();
const safeties = new Map<string, Set<string>>();

for (const [name, change] of VARIANTS)
  for (const level of ['safe', 'unsafe'] as const)
    test(`${name}, ${level} corrections`, () => {
      for (const texts of chosen(name)) {
        const changed = Object.fromEntries(Object.entries(texts).map(([path, text]) => [path, change(text, path)]));
        holds(found(changed), level);
      }
    });

function holds(files: FoundFiles, level: FixLevel): void {
  const first = lint(files, DEFAULT_OPTIONS);
  counts.texts += files.files.length;
  const corrected = corrections(files, first, level, DEFAULT_OPTIONS);
  const after = new Map(corrected.map((one) => [one.path, one]));
  const fixed = { ...files, files: files.files.map((file) => ({ ...file, text: after.get(file.path)?.after ?? file.text })) };
  for (const { path, before, after: text, done } of corrected) {
    const say = `${path}: ${JSON.stringify(before)} became ${JSON.stringify(text)} by ${done.map(({ description }) => description).join(' / ')}`;
    counts.changed++;
    counts.fixes += done.length;
    assert.is.not(text, before, say);
    const [was, is] = [kindOf(files, path, before), kindOf(files, path, text)];
    if (was.data !== null) assert.is.not(is.data, null, `no longer parsed: ${say}`);
    assert.ok(mistakesOf(is) <= mistakesOf(was), `more mistakes: ${say}`);
    if (was.kind === 'agent' && is.kind === 'agent' && was.definition.status === 'active')
      assert.is(is.definition.status, 'active', `no longer used: ${say}`);
    assert.is(text.startsWith('\uFEFF'), before.startsWith('\uFEFF'), `byte order mark: ${say}`);
    if (!/(?<!\r)\n/.test(before)) assert.not.match(text, /(?<!\r)\n/, `line ends: ${say}`);
    if (!before.includes('\r')) assert.not.match(text, /\r/, `line ends: ${say}`);
  }
  const second = lint(fixed, DEFAULT_OPTIONS);
  const again = corrections(fixed, second, level, DEFAULT_OPTIONS);
  assert.equal(
    again.map(({ path, before, after: text }) => `${path}: ${JSON.stringify(before)} became ${JSON.stringify(text)}`),
    [],
    'a second run changes nothing',
  );
  for (const { fix, ruleId } of first.unabridged) {
    if (fix === null) continue;
    offered.add(ruleId);
    safeties.set(ruleId, new Set([...(safeties.get(ruleId) ?? []), fix.safety]));
  }
  oneStep(files, first, level);
}

/** Of one round: the text is the old one with the named stretches replaced, and nothing else. */
function oneStep(files: FoundFiles, report: LintReport, level: FixLevel): void {
  for (const file of files.files) {
    const { text, path } = file;
    if (text === null) continue;
    const ofFile = report.unabridged.filter(
      ({ fix, location }) => location.file === path && fix !== null && (level === 'unsafe' || fix.safety === 'safe'),
    );
    const fixes = ofFile.flatMap(({ fix }) => (fix === null ? [] : [fix]));
    if (fixes.length === 0) continue;
    const refused: Refused = new Set();
    const judge = (changed: string) => ({
      findings: lint({ files: [{ ...file, text: changed }], incomplete: [] }, DEFAULT_OPTIONS).unabridged,
      parsed: parseFile({ ...file, text: changed }).data !== null,
    });
    const step = fixText(text, fixes, judge, refused);
    assert.is(step.text, rebuilt(text, step.done), `${path}: only what the corrections name was replaced`);
    for (const { fix, ruleId } of ofFile) if (fix !== null && step.done.includes(fix)) written.add(ruleId);
  }
}

/** The text with the edits made one by one from its end, each in the line ends of the text. */
function rebuilt(text: string, done: readonly Fix[]): string {
  const mark = text.startsWith('\uFEFF') ? 1 : 0;
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const edits = done.flatMap((fix) => [...new Map(fix.edits.map((edit) => [JSON.stringify(edit), edit])).values()]);
  let fixed = text;
  let from = Number.POSITIVE_INFINITY;
  for (const { start, end, text: by } of edits
    .map((edit, order) => ({ ...edit, order }))
    .sort((left, right) => right.start - left.start || right.order - left.order)) {
    assert.ok(end <= from && start <= end, 'edits lie apart');
    from = start;
    fixed = fixed.slice(0, start + mark) + by.replaceAll(/\r\n|\n/g, lineEnd) + fixed.slice(end + mark);
  }
  return fixed;
}

function kindOf(files: FoundFiles, path: string, text: string): ReturnType<typeof parseFile> {
  const file = files.files.find((one): one is SourceFile => one.path === path);
  if (file === undefined) throw new Error(path);
  return parseFile({ ...file, text });
}

function mistakesOf(file: ReturnType<typeof parseFile>): number {
  return file.kind === 'config' ? file.mistakes.length : 0;
}

test('every rule that offers a correction had one written', () => {
  assert.equal(
    [...offered].filter((id) => !written.has(id)),
    [],
  );
  assert.ok(written.size >= 30, `only ${written.size} rules: ${[...written].sort().join(' ')}`);
  assert.ok(counts.texts > 2_000 && counts.changed > 250 && counts.fixes > 250, JSON.stringify(counts));
});

test('a name is only written anew when a person asked for it, since its references keep the old one', () => {
  assert.equal([...(safeties.get('naming/kebab-case') ?? [])], ['unsafe']);
});

test.run();
