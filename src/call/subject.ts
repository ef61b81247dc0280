/** Derives the subjects of a tool call: the texts that rules are matched against. */

import { isFields } from './fields.js';
import type { InferredSubject } from './inferred-subjects.js';
import { globFolder, linksIn } from './input-text.js';
import { fileOfUrl, parsed, subjectsByName } from './mcp-subjects.js';
import { patchPaths } from './patch.js';
import { pathReadings } from './path-readings.js';
import { quoteWords } from './quote.js';
import type { RunnerId, Subject, ToolCall } from './tool-call.js';
import type { SubjectField, ToolDescription, WideningInput } from './tool-data.js';
import { describeTool } from './tool-table.js';

export interface CallSubjects {
  readonly tool: ToolDescription;
  readonly subjects: readonly Subject[];
  /** For a tool without a description: paths and command lines in fields whose names do not identify them. They may only deny and ask. */
  readonly telling: readonly InferredSubject[];
  /** A required subject is absent, not a text, or beyond the limits: no allow with a pattern may cover the call. */
  readonly missing: boolean;
  /** Files that the call deletes; each is also a written subject. */
  readonly deleted: readonly string[];
  /** One sentence for each input that lets the call do more than its tool's name says. */
  readonly widening: readonly string[];
}

type Input = Readonly<Record<string, unknown>>;

/** The state while subjects are gathered. */
interface Gathering {
  readonly subjects: Subject[];
  readonly deleted: string[];
  telling: readonly InferredSubject[];
  missing: boolean;
  /** Folders in which a search is made; globs start there. */
  bases: readonly string[];
}

/**
 * Returns the subjects of a call, in the order of the tool's fields. Pure; never throws. The input is untrusted: only its own
 * properties are read, and a field of the wrong type is treated as missing.
 */
export function subjectsOf(call: ToolCall): CallSubjects {
  const tool = describeTool(call.tool, call.runner);
  const gathering: Gathering = { subjects: [], deleted: [], telling: [], missing: false, bases: [] };
  if (tool.known) for (const field of tool.subjects) gather(field, call.input, gathering);
  if (!tool.known || tool.mcp !== null) gatherByName(tool, call, gathering);
  if (tool.known && tool.subjects.length > 0 && gathering.subjects.length === 0 && !tool.harmless) gathering.missing = true;
  const widening = wideningOf(tool, call);
  const unseen = gathering.missing && GUARDED.has(tool.access);
  return {
    tool,
    subjects: gathering.subjects,
    telling: gathering.telling,
    deleted: tool.canonical === 'Delete' ? gathering.subjects.map(({ value }) => value) : gathering.deleted,
    missing: gathering.missing,
    widening: unseen ? [...widening, UNSEEN_INPUT] : widening,
  };
}

/** Accesses that a rule for the whole tool would allow unchecked: files (including protected ones) and commands. */
const GUARDED: ReadonlySet<ToolDescription['access']> = new Set(['read', 'write', 'execute']);
/** The message for a call whose command or file is missing from its input. */
export const UNSEEN_INPUT = 'Its input does not say what it runs, reads or writes.';

/** Takes fields by name too, if the tool is not one of the runner's own: its description may not name all of them. */
function gatherByName(tool: ToolDescription, call: ToolCall, into: Gathering): void {
  const found = subjectsByName(tool.mcp?.tool ?? call.tool, call.input);
  const described = new Set(into.subjects.map((subject) => subject.value));
  for (const subject of found.subjects) if (!tool.known || !described.has(subject.value)) into.subjects.push(subject);
  into.telling = found.telling.filter((subject) => !described.has(subject.value));
  if (!found.complete) into.missing = true;
}

/** Takes one described field from the input. */
function gather(spec: SubjectField, input: Input, into: Gathering): void {
  let found = false;
  for (const field of spec.fields) {
    const value = lookUp(input, field);
    if (value === undefined || value === null) continue;
    const texts = textsOf(value);
    if (texts === null) into.missing = true;
    else if (texts.length > 0) {
      found = true;
      takeTexts(spec, field, texts, into);
    }
  }
  if (found) return;
  if (spec.default === undefined) {
    if (spec.optional !== true) into.missing = true;
  } else if (spec.default !== '') takeTexts(spec, spec.fields[0] ?? '', [spec.default], into);
}

/** An own property, with `a.b` one level down; undefined if absent. */
function lookUp(input: Input, field: string): unknown {
  if (Object.hasOwn(input, field)) return input[field];
  const dot = field.indexOf('.');
  if (dot < 0) return undefined;
  const outer = Object.hasOwn(input, field.slice(0, dot)) ? input[field.slice(0, dot)] : undefined;
  const inner = field.slice(dot + 1);
  return typeof outer === 'object' && outer !== null && Object.hasOwn(outer, inner) ? Reflect.get(outer, inner) : undefined;
}

/** The texts of a string or a list of strings; an empty string is treated as absent; null for anything else. */
function textsOf(value: unknown): readonly string[] | null {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (!Array.isArray(value)) return null;
  return value.every((item) => typeof item === 'string') ? value : null;
}

function takeTexts(spec: SubjectField, field: string, texts: readonly string[], into: Gathering): void {
  switch (spec.kind) {
    case 'command':
      into.subjects.push({ kind: 'command', field, value: texts.length === 1 ? (texts[0] ?? '') : quoteWords(texts) });
      return;
    case 'patch':
      for (const text of texts) takePatch(spec, text, into);
      return;
    case 'glob':
      takeGlobs(spec, field, texts, into);
      return;
    case 'urls':
      for (const url of texts.flatMap(linksIn)) into.subjects.push({ kind: 'url', field, value: url });
      return;
    case 'path': {
      const readings = texts.flatMap(pathReadings);
      into.bases = [...into.bases, ...readings];
      for (const text of readings) into.subjects.push(pathSubject(spec, field, text));
      return;
    }
    case 'url':
      for (const text of texts) takeUrl(field, text, into);
      return;
    default:
      for (const text of texts) into.subjects.push({ kind: spec.kind, field, value: text });
  }
}

function pathSubject(spec: SubjectField, field: string, value: string): Subject {
  const subject: Subject = { kind: 'path', field, value, access: spec.access ?? 'write' };
  return spec.searched === true && !/^[/~]/.test(value) ? { ...subject, searched: true } : subject;
}

/** A glob narrows the search to the folder in which it starts, so that folder replaces the folder of the search. */
function takeGlobs(spec: SubjectField, field: string, globs: readonly string[], into: Gathering): void {
  const { subjects, bases } = into;
  for (let index = subjects.length - 1; index >= 0; index--) if (subjects[index]?.kind === 'path') subjects.splice(index, 1);
  for (const glob of globs) {
    for (const base of bases.length === 0 ? ['.'] : bases) subjects.push(pathSubject(spec, field, globFolder(glob, base)));
  }
}

function takePatch(spec: SubjectField, text: string, into: Gathering): void {
  const { paths, deleted, moved, complete } = patchPaths(text);
  for (const path of paths) into.subjects.push(pathSubject(spec, 'patch', path));
  for (const path of moved) into.subjects.push({ kind: 'path', field: 'patch', value: path, access: 'read' });
  into.deleted.push(...deleted);
  if (!complete) into.missing = true;
}

/** A `file:` URL is also a path that is read. */
function takeUrl(field: string, url: string, into: Gathering): void {
  into.subjects.push({ kind: 'url', field, value: url });
  const path = fileOfUrl(url);
  if (path !== null) into.subjects.push({ kind: 'path', field, value: path, access: 'read' });
}

/** Inputs that widen any tool whose own inputs are not described; compared without case, `_` and `-`. */
const WIDENING_ANYWHERE: ReadonlyMap<string, string> = new Map([
  ['dangerouslydisablesandbox', 'It switches a sandbox off.'],
  ['permissionmode', 'It names a permission mode of its own.'],
  ['approvalpolicy', 'It names an approval policy of its own.'],
  ['approvalmode', 'It names an approval policy of its own.'],
  ['sandbox', 'It names a sandbox of its own.'],
  ['sandboxmode', 'It names a sandbox of its own.'],
  ['sandboxpermissions', 'It asks to leave a sandbox.'],
  ['withescalatedpermissions', 'It asks to leave a sandbox.'],
]);

const NONE: readonly string[] = [];

function wideningOf(tool: ToolDescription, call: ToolCall): readonly string[] {
  const described = tool.known && tool.mcp === null;
  if (described && !namesAny(call.input, wideningFields(tool))) return NONE;
  const sentences = new Set<string>();
  for (const input of tool.widening) if (widens(input, call.input)) sentences.add(input.message);
  if (runsElsewhere(tool, call)) sentences.add(ELSEWHERE);
  if (!described) for (const sentence of wideningAnywhere(call.input)) sentences.add(sentence);
  return sentences.size === 0 ? NONE : [...sentences];
}

/** The fields by which a tool's input can widen the call, collected once per tool. */
const fieldsOf = new WeakMap<ToolDescription, ReadonlySet<string>>();

function wideningFields(tool: ToolDescription): ReadonlySet<string> {
  let fields = fieldsOf.get(tool);
  if (fields === undefined) {
    const names = [...tool.widening.map(({ field }) => field), ...tool.directories];
    // `a.b` is looked up under its full name, and one level down.
    fields = new Set(names.flatMap((name) => [name, name.split('.', 1)[0] ?? name]));
    fieldsOf.set(tool, fields);
  }
  return fields;
}

/** True if the input has one of the fields; nearly no input has. */
function namesAny(input: Input, fields: ReadonlySet<string>): boolean {
  for (const name of Object.getOwnPropertyNames(input)) if (fields.has(name)) return true;
  return false;
}

const ELSEWHERE = 'It runs in a directory of its own choice, not in the one that the call is judged for.';

/** For tools without described inputs: fields whose names say that they widen the call. */
function wideningAnywhere(input: Input): string[] {
  const keys = Object.keys(input).slice(0, 1024);
  const sentences = keys.map((key) => WIDENING_ANYWHERE.get(key.slice(0, 80).replace(/[_-]/g, '').toLowerCase()));
  return sentences.filter((sentence) => sentence !== undefined);
}

function widens({ field, when, values }: WideningInput, input: Input): boolean {
  if (!Object.hasOwn(input, field)) return false;
  const value = input[field];
  if (value === undefined || value === null) return false;
  if (when === 'present') return value !== '';
  if (when === 'truthy') return value !== false && value !== '' && value !== 'false' && value !== 0;
  if (typeof value !== 'string') return when === 'other';
  const listed = values?.includes(value) ?? false;
  return when === 'equals' ? listed : value !== '' && !listed;
}

/** True if the input names a directory other than the call's own; for a runner that honours it, `cwd` contains the absolute path. */
function runsElsewhere(tool: ToolDescription, call: ToolCall): boolean {
  for (const field of tool.directories) {
    const value = lookUp(call.input, field);
    if (value === undefined || value === null || value === '' || value === '.' || value === './') continue;
    if (typeof value !== 'string' || withoutSlash(value) !== withoutSlash(call.cwd)) return true;
  }
  return false;
}

function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

/**
 * The input that a person means by a single text: `policy check Bash "git push"`. The text goes into the first required field of
 * the tool; for a tool without fields, into `input`. An object in JSON is the whole input of an MCP tool.
 */
export function inputFromText(tool: string, text: string, runner?: RunnerId): Record<string, unknown> {
  const described = describeTool(tool, runner);
  const fields = described.subjects;
  const whole: unknown = described.mcp !== null && text.startsWith('{') ? parsed(text) : null;
  if (isFields(whole)) return { ...whole };
  const main = fields.find((spec) => spec.optional !== true && spec.default === undefined) ?? fields[0];
  if (main === undefined) return { input: text };
  const field = main.fields[0] ?? 'input';
  if (main.kind === 'patch' && !text.includes('\n')) return { [field]: `*** Update File: ${text}` };
  return { [field]: text };
}
