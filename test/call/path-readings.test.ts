/** Every file that some runner would open for an odd text is among the subjects. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { pathReadings } from '../../src/call/path-readings.js';
import { subjectsOf } from '../../src/call/subject.js';

const ROWS: readonly (readonly [text: string, reading: string, why: string])[] = [
  ['.env ', '.env', 'Claude Code and Qwen Code cut off blanks'],
  ['\u00a0.env\n', '.env', 'all that JavaScript takes for a blank'],
  [' ', '.', 'nothing but blanks is the current folder'],
  ['@.gemini/settings.json', '.gemini/settings.json', 'Gemini CLI takes off an @'],
  ['@/policy.yaml', 'policy.yaml', 'with a slash'],
  ['%2egemini/settings.json', '.gemini/settings.json', 'Gemini CLI undoes percent escapes'],
  ['.e\0nv', '.env', 'Gemini CLI drops NULs'],
  ['.g\u200cit/config', '.git/config', 'HFS+ leaves such characters out'],
  ['.\\env', '.env', 'Qwen Code takes out backslashes'],
  [' @.%67it/config', '.git/config', 'all at once'],
  ['caf\u0065\u0301/x', 'caf\u00e9/x', 'Claude Code composes letters and accents'],
];
for (const [text, reading, why] of ROWS)
  test(`${JSON.stringify(text)} may be ${reading}: ${why}`, () => {
    const readings = pathReadings(text);
    assert.is(readings[0], text);
    assert.ok(readings.includes(reading), readings.join(' | '));
  });

for (const text of ['src/a.ts', '/repo/a b.ts', '~/x', 'a@b', 'node_modules/@x/y', 'C:\\x', ''])
  test(`${JSON.stringify(text)} is only itself`, () => assert.equal(pathReadings(text), [text]));

test('broken escapes stay, and so do letters without accents', () => {
  assert.equal(pathReadings('100%.md'), ['100%.md']);
  assert.equal(pathReadings('ü/x'), ['ü/x']);
});

test('there are never more than 64 readings', () => assert.ok(pathReadings(' @\0\\%41e\u0301 '.repeat(500)).length <= 64));

const values = (tool: string, input: Record<string, unknown>) =>
  subjectsOf({ tool, input, cwd: '/repo', headless: false, shell: 'bash' }).subjects.map(({ value }) => value);

test('the folder of a search has readings, too', () => {
  assert.ok(values('Grep', { pattern: 'x', path: '.. ', glob: '*.ts' }).includes('..'));
  assert.ok(values('mcp__fs__read_file', { path: '.env ' }).includes('.env'));
});

test('a header of a patch behind U+0085 counts, which Codex takes for a blank', () => {
  const patch = '*** Begin Patch\n\u0085*** Delete File: policy.yaml\n*** Add File: a\n+x\n*** End Patch\n';
  assert.equal(values('apply_patch', { input: patch }).includes('policy.yaml'), true);
});

/** Codex's parser (apply-patch/src/parser.rs): Rust's `trim` around a header, nothing trimmed in front of the path. */
const HEADERS: readonly (readonly [line: string, paths: readonly string[]])[] = [
  ['*** Add File: a b', ['a b']],
  ['*** Add File: a\u0085b', ['a\u0085b']],
  ['*** Add File: a\u0085', ['a']],
  ['\u0085\u3000*** Add File: a\u2003\u0085', ['a']],
  ['*** Add File: a\r', ['a']],
  ['*** Add File:  /etc/x', ['/etc/x', ' /etc/x']],
  ['*** Add File: \u0085/etc/x', ['/etc/x', '\u0085/etc/x']],
  ['*** Add File: a\uFEFF', ['a', 'a\uFEFF']],
  ['\uFEFF*** Add File: a', ['a']],
  ['*** Move to: a \r', ['a', 'a ']],
  ['*** Move to: a\u0085', ['a', 'a\u0085']],
];
for (const [line, paths] of HEADERS)
  test(`the header ${JSON.stringify(line)} may mean ${JSON.stringify(paths)}`, () => {
    const patch = `*** Begin Patch\n${line}\n+x\n*** End Patch\n`;
    assert.equal(values('apply_patch', { input: patch }), paths);
  });

test('very many blanks in a header cost no time', () => {
  const blanks = `${' '.repeat(200_000)}x`;
  assert.equal(values('apply_patch', { input: `*** Add File: ${blanks}` }).length, 2);
});

test.run();
