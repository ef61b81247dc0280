/** Writes `mode:` into the text of a policy file: replaces the word, or adds the key below the version. */
import { parsePolicy } from '../document.js';
import type { Policy, PolicyProblem } from '../policy.js';
import { type Format, parseLocated } from '../read/located.js';
import { insertInBrackets } from './brackets.js';
import { type EditedText, type Insertion, offsetOf } from './insertion.js';
import { JSON_SYNTAX } from './json.js';
import { type EditedFile, FOREIGN, type PolicyEdit, withInsertions } from './rules.js';
import { YAML_SYNTAX } from './yaml.js';

type Mode = Policy['mode'];

/** The text of a new policy file that contains only its mode. */
export function newModeText(mode: Mode): string {
  return `version: 1\nmode: ${mode}\n`;
}

/**
 * Returns the text with this mode; everything else stays as written. The result is parsed again, and returned only if it means
 * the same as the old text, with exactly this mode. Pure.
 */
export function setMode(text: string, mode: Mode, target: EditedFile): PolicyEdit {
  const before = parsePolicy(text, target);
  if (before.document === null)
    return { ok: false, problems: before.foreign ? [problem(target, 'file/foreign', FOREIGN)] : before.problems };
  const isThere = before.document.settings.some(({ key }) => key === 'mode');
  const edited = isThere
    ? replaced(text, mode, target.format)
    : withInsertions(text, target.format, (source) => insertMode(source, mode, target.format));
  const document = edited === null ? null : parsePolicy(edited, target).document;
  const differs = (one: typeof document) =>
    JSON.stringify([
      one?.rules.map(({ source: _place, ...rule }) => rule),
      one?.extends?.path,
      one?.settings.filter(({ key }) => key !== 'mode').map(({ key, member, value }) => [key, member, value]),
    ]);
  const written = document?.settings.find(({ key }) => key === 'mode')?.value;
  if (edited === null || document === null || written !== mode || differs(document) !== differs(before.document))
    return { ok: false, problems: [problem(target, 'edit/unclear', unclear(mode))] };
  return { ok: true, text: edited, document };
}

function unclear(mode: Mode): string {
  return `This file is written in a way that its mode cannot be changed without touching the rest; write mode ${mode} by hand. Nothing was changed.`;
}

function problem({ file }: EditedFile, code: string, message: string): PolicyProblem {
  return { code, message, source: { file, line: 1, column: 1 } };
}

const WORD = /^(?:(["'])(?:enforce|observe)\1|(?:enforce|observe)(?![\w-]))/;

/** The text with the word of the mode replaced, in the same quotes; null if it is not a plain word (an alias, an escape). */
function replaced(text: string, mode: Mode, format: Format): string | null {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const source = text.slice(mark.length);
  const located = parseLocated(source, format);
  const at = located.ok ? offsetOf({ source, located }, '/mode') : null;
  const [word, quote = ''] = at === null ? [] : (WORD.exec(source.slice(at, at + 16)) ?? []);
  if (at === null || word === undefined) return null;
  return `${mark}${source.slice(0, at)}${quote}${mode}${quote}${source.slice(at + word.length)}`;
}

/** Where to add a missing key: below the version, which every policy has, or inside the brackets of a map. */
function insertMode(edited: EditedText, mode: Mode, format: Format): readonly Insertion[] | null {
  const { source } = edited;
  const root = offsetOf(edited, '');
  const version = offsetOf(edited, '/version');
  if (root === null || version === null) return null;
  if (format === 'json') return insertInBrackets(source, root, `"mode": "${mode}"`, JSON_SYNTAX);
  if (format === 'toml') return [belowLine(source, version, `mode = "${mode}"`)];
  if (source[root] === '{') return insertInBrackets(source, root, `mode: ${mode}`, YAML_SYNTAX);
  const indent = ' '.repeat(root - (source.lastIndexOf('\n', root - 1) + 1));
  return [belowLine(source, version, `${indent}mode: ${mode}`)];
}

function belowLine(source: string, at: number, line: string): Insertion {
  const end = source.indexOf('\n', at);
  return end < 0 ? { at: source.length, text: `\n${line}\n` } : { at: end + 1, text: `${line}\n` };
}
