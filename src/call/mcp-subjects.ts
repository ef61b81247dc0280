/** Subjects of a tool without a description (mainly MCP tools), found by the names of its input fields. */

import { data } from '../generated/data.js';
import {
  type InferenceContext,
  type InferredSubject,
  inferenceContext,
  inferredSubjects,
  isProseField,
} from './inferred-subjects.js';
import { patchPaths } from './patch.js';
import { pathReadings } from './path-readings.js';
import { quoteWords } from './quote.js';
import type { PathAccess, Subject } from './tool-call.js';

/**
 * Maximum numbers of subjects and inferred subjects taken from one input, of values examined, and of UTF-16 units of text in
 * total; maximum depth of nesting.
 */
const MAX_SUBJECTS = 64;
const MAX_TELLING = 256;
const MAX_VALUES = 1024;
const MAX_TEXT = 65_536;
const MAX_DEPTH = 4;

const COMMANDS = new Set(
  'command commands cmd cmds cmdline commandline script scripts code exec argv expression bash shell sh run'.split(' '),
);
const COMMAND_ENDING = /(?:command|cmd)$/;
const URLS = new Set('url urls uri uris href link webhook'.split(' '));
const URL_ENDING = /(?:(?<!c)urls?|uris?|endpoint)$/;
/** Fields that name machines, usually without a scheme. */
const HOSTS = new Set('host hosts hostname hostnames domain domains domainname fqdn server servername proxy'.split(' '));
const HOST_ENDING = /(?:host|hostname|domain)$/;
const PATCHES = new Set('patch patches patchtext patchcontent diff diffs difftext unifieddiff'.split(' '));
const PATHS = new Set(
  (
    'path paths file files filename filenames filepath filepaths directory directories dir dirs dirpath folder folders folderpath ' +
    'cwd workdir workingdirectory workingdir root rootdir rootpath source destination src dest dst sourcepath destinationpath ' +
    'destpath targetpath targetfile outputpath outputfile inputpath inputfile absolutepath relativepath oldpath newpath ' +
    'projectpath repopath notebookpath targetdirectories allowedpaths glob from to old new target location output pathname ' +
    'notebook document template'
  ).split(' '),
);
/** Fields that name a written file, even for a tool whose name says that it reads (`fetch` with `output_path`). */
const WRITTEN =
  /^(?:out|output|dest|dst|destination|save|download|export|dump)(?:as|to|in|path|file|filename|dir|directory|folder)?$|^(?:write|export|download|store)(?:to|as|in)$/;
const PATH_ENDING = /(?:path|paths|file|filename|directory|folder|dir)$/;

const WRITING =
  /(?:write|edit|delete|remove|create|update|set|put|move|rename|copy|save|append|insert|replace|patch|apply|upload|add|make|modify|run|exec|execute)/;
const SEARCHING = /(?:search|grep|find|glob)/;
const READING = /(?:read|list|get|view|show|stat|describe|tree|info|cat|head|tail|fetch)/;

export interface FoundSubjects {
  readonly subjects: readonly Subject[];
  /** Texts whose values are paths or command lines, in fields whose names do not identify them: they may only deny and ask. */
  readonly telling: readonly InferredSubject[];
  /** False if the input contains more than is examined: then nothing may be treated as covered. */
  readonly complete: boolean;
}

/**
 * Returns text fields whose names identify their content: command, path and URL subjects (docs/guarantees.md, 8). Examines nested
 * objects and lists, within limits. A path is assumed to be written unless the tool's name says that it only reads.
 * @param tool the tool's own name, without its server
 */
export function subjectsByName(tool: string, input: Readonly<Record<string, unknown>>): FoundSubjects {
  const words = wordsOf(tool);
  const access = listsNames(words, input) ? 'list' : accessOf(words);
  const walk: Walk = {
    subjects: [],
    telling: [],
    access,
    tool: inferenceContext(words, access === 'write'),
    values: 0,
    text: 0,
    complete: true,
  };
  visit(input, '', null, 0, walk);
  return { subjects: walk.subjects, telling: walk.telling, complete: walk.complete };
}

interface Walk {
  readonly subjects: Subject[];
  readonly telling: InferredSubject[];
  readonly access: PathAccess;
  readonly tool: InferenceContext;
  values: number;
  text: number;
  complete: boolean;
}

/** The parts of a tool's name: the same for `readFile`, `read_file` and `read-file`. */
function wordsOf(tool: string): readonly string[] {
  return tool
    .slice(0, 256)
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
}

/** Whether a tool's name says that it changes files (`write_file`); other names may merely not say that the tool reads. */
export function isWriteName(tool: string): boolean {
  return says(wordsOf(tool), WRITING);
}

/** The words of read-only names; see rules/reading-names.yaml. */
interface ReadingNames {
  readonly verbs: ReadonlySet<string>;
  readonly prepositions: ReadonlySet<string>;
  readonly others: ReadonlySet<string>;
  readonly compounds: RegExp;
}

let readingNames: ReadingNames | null = null;

function loadReadingNames(): ReadingNames {
  const written = data('reading-names') as Readonly<
    Record<'verbs' | 'prepositions' | 'modifiers' | 'nouns' | 'compounds', string>
  >;
  const set = (text: string) => new Set(text.split(' '));
  return {
    verbs: set(written.verbs),
    prepositions: set(written.prepositions),
    others: set(`${written.modifiers} ${written.nouns}`),
    compounds: new RegExp(`\\b(?:${written.compounds.replaceAll(' ', '|').replaceAll('-', ' ')})s?\\b`, 'g'),
  };
}

/**
 * Whether a tool's name says that it only reads: a verb of reading, and then only words known as nouns and what goes with them
 * (`find_symbol`, but not `get_and_delete`, `fetch`, `list_clear` or `get_secret`).
 */
export function isReadName(tool: string): boolean {
  readingNames ??= loadReadingNames();
  const { verbs, prepositions, others, compounds } = readingNames;
  const text = wordsOf(tool)
    .filter((word) => word !== '')
    .join(' ');
  const [verb = '', ...words] = text.replace(compounds, 'change').split(' ');
  if (!verbs.has(verb) || tool.length > 256) return false;
  const isNamed = (word: string) =>
    others.has(word) || /^v?\d+$/.test(word) || PLURALS.some(([ending, singular]) => others.has(word.replace(ending, singular)));
  return words.every((word, at) =>
    prepositions.has(word) ? (at > 0 || verb !== 'check') && at < words.length - 1 : isNamed(word),
  );
}

const PLURALS: readonly (readonly [RegExp, string])[] = [
  [/s$/, ''],
  [/es$/, ''],
  [/ies$/, 'y'],
];

const REMOVING = /(?:delete|remove|rm|unlink|clean|clear|purge|wipe|move|rename)/;

/** Whether a tool's name says that it removes something. */
export function isRemoveName(tool: string): boolean {
  return says(wordsOf(tool), REMOVING);
}

/** `read_file` reads, `search_files` searches, `read_and_delete` and `frobnicate` may write. */
function accessOf(words: readonly string[]): PathAccess {
  if (says(words, WRITING)) return 'write';
  if (says(words, SEARCHING)) return 'search';
  return says(words, READING) ? 'read' : 'write';
}

/** `find_file`, `list_dir`, `directory_tree`: the tool returns file names, but no contents. */
function listsNames(words: readonly string[], input: Readonly<Record<string, unknown>>): boolean {
  const [verb = '', ...rest] = words.filter((word) => word !== '');
  const last = rest.at(-1) ?? '';
  const isListing = /^(?:find|list|glob)$/.test(verb)
    ? FILES.test(last)
    : /^(?:directory|dir|file|folder)$/.test(verb) && last === 'tree';
  const alone = rest.length < 4 && !rest.some((word) => word === 'and' || CONTENTS.test(word));
  return isListing && alone && !Object.keys(input).some((key) => CONTENTS.test(key)) && !says(words, WRITING);
}

const FILES = /^(?:files?|dirs?|director(?:y|ies)|folders?)$/;
/** Fields that suggest file contents. */
const CONTENTS = /content|text|query|regex|contain|grep|line|match|body|read|preview|show|stdout|output/i;

function says(words: readonly string[], pattern: RegExp): boolean {
  return words.some((word) => pattern.exec(word)?.[0] === word);
}

/** The content that a field's name suggests. */
type FieldKind = 'command' | 'path' | 'written' | 'url' | 'host' | 'patch';

/** `outer`: the kind of the field that contains the record (`{command: {value: 'rm x'}}`). */
function visit(record: object, prefix: string, outer: FieldKind | null, depth: number, walk: Walk): void {
  const entries = Object.entries(record);
  for (const [key, value] of entries) {
    if (++walk.values > MAX_VALUES) walk.complete = false;
    if (!walk.complete) return;
    const field = prefix === '' ? key.slice(0, 80) : `${prefix}.${key.slice(0, 80)}`;
    const own = kindOf(key) ?? outer;
    const kind = own === 'path' && outer === 'written' ? outer : own;
    if (typeof value === 'string') takeText(kind, field, key, value, depth, walk);
    else if (Array.isArray(value)) takeList(kind, field, key, value, depth, walk);
    else if (typeof value === 'object' && value !== null) descend(value, field, kind, depth, walk);
  }
  wholeCommand(record, prefix, walk);
}

function descend(value: object, field: string, kind: FieldKind | null, depth: number, walk: Walk): void {
  if (depth + 1 >= MAX_DEPTH) walk.complete = false;
  else visit(value, field, kind, depth + 1, walk);
}

/** Takes a text; an object or list in JSON is examined too (`{arguments: '{"path": "x"}'}`). */
function takeText(kind: FieldKind | null, field: string, key: string, value: string, depth: number, walk: Walk): void {
  take(kind, field, value, walk);
  tell(kind, field, key, value, walk);
  // `{paths: '["a", "b"]'}`
  const list = (kind === 'path' || kind === 'written') && /^\s*\[/.test(value) && value.length <= MAX_TEXT ? parsed(value) : null;
  if (Array.isArray(list)) takeList(kind, field, key, list, depth, walk);
  const inner = kind === null && /^\s*[[{]/.test(value) && value.length <= MAX_TEXT ? parsed(value) : null;
  if (inner !== null) descend(inner, field, null, depth, walk);
}

/** The object or list that a text is in JSON; null for any other text. */
export function parsed(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

/** Texts of a list are taken one by one; a list under `command` is also the words of one command. */
function takeList(kind: FieldKind | null, field: string, key: string, list: readonly unknown[], depth: number, walk: Walk): void {
  const texts: string[] = [];
  for (const item of list) {
    if (++walk.values > MAX_VALUES) walk.complete = false;
    if (!walk.complete) return;
    if (typeof item === 'string') {
      texts.push(item);
      take(kind, field, item, walk);
      tell(kind, field, key, item, walk);
    } else if (Array.isArray(item)) {
      if (depth + 1 >= MAX_DEPTH) walk.complete = false;
      else takeList(kind, field, key, item, depth + 1, walk);
    } else if (typeof item === 'object' && item !== null) descend(item, field, kind, depth, walk);
  }
  if (texts.length < 2) return;
  if (kind === 'command' && !/s$/i.test(key)) take(kind, field, quoteWords(texts), walk);
  else tellCommand(field, key, texts, walk);
}

/** Classifies a text by its value, in a field whose name says nothing about it, or something else. */
function tell(kind: FieldKind | null, field: string, key: string, value: string, walk: Walk): void {
  if (kind === 'command' || kind === 'patch' || value === '') return;
  const local = kind === null ? fileOfUrl(value) : null;
  const told = local === null ? inferredSubjects(walk.tool, bareName(key), field, value) : [];
  if (local !== null)
    into(walk, { kind: 'path', field, value: local, access: walk.access === 'write' ? 'write' : 'read', likely: true });
  for (const subject of told) if (kind === null || subject.kind === 'command') into(walk, subject);
}

/** `["bash", "-c", "…"]`: the words of a command, whatever the list is called. */
function tellCommand(field: string, key: string, words: readonly string[], walk: Walk): void {
  if (!/^[\w./+-]{1,256}$/.test(words[0] ?? '')) return;
  into(walk, { kind: 'command', field, value: quoteWords(words), likely: !isProseField(walk.tool, bareName(key)) });
}

function into(walk: Walk, subject: InferredSubject): void {
  walk.text += subject.value.length;
  if (walk.telling.length >= MAX_TELLING || walk.text > MAX_TEXT) walk.complete = false;
  else walk.telling.push(subject);
}

const PROGRAMS = ['command', 'cmd', 'executable', 'program', 'binary', 'file'];

/** `{command: 'rm', args: ['-rf', '/']}`: all words together form the command. */
function wholeCommand(record: object, prefix: string, walk: Walk): void {
  const own = new Map(Object.entries(record).slice(0, MAX_VALUES));
  const args = own.get('args') ?? own.get('arguments');
  const command = PROGRAMS.map((name) => own.get(name)).find((value) => typeof value === 'string');
  if (typeof command !== 'string') return;
  const field = prefix === '' ? 'args' : `${prefix}.args`;
  if (typeof args === 'string') take('command', field, `${command} ${args}`, walk);
  if (!Array.isArray(args)) return;
  const words = args.slice(0, MAX_VALUES).filter((word) => typeof word === 'string');
  if (words.length > 0) take('command', field, `${command} ${quoteWords(words)}`, walk);
}

function take(kind: FieldKind | null, field: string, value: string, walk: Walk): void {
  if (kind === null || value === '') return;
  walk.text += value.length;
  if (walk.subjects.length >= MAX_SUBJECTS || walk.text > MAX_TEXT) {
    walk.complete = false;
    return;
  }
  if (kind === 'host') takeHosts(field, value, walk);
  else if (kind === 'patch') takePatch(field, value, walk);
  else if (kind === 'path' || kind === 'written') takePath(field, value, kind === 'written' ? 'write' : walk.access, walk);
  else walk.subjects.push({ kind, field, value });
  // A value without a scheme may be a path, whatever the field is called.
  const local = kind === 'command' ? null : (fileOfUrl(value) ?? (kind === 'url' && !/^[\w+.-]+:/.test(value) ? value : null));
  if (local !== null) walk.subjects.push({ kind: 'path', field, value: local, access: walk.access });
}

function takePath(field: string, value: string, access: PathAccess, { subjects }: Walk): void {
  for (const reading of pathReadings(value)) subjects.push({ kind: 'path', field, value: reading, access });
}

/** A socket is a file; any other name is treated as an address, whose scheme and port do not affect where it leads. */
function takeHosts(field: string, value: string, walk: Walk): void {
  for (const part of value.split(/[,;]/)) {
    const host = part.trim();
    // No name of a machine contains blanks.
    if (host === '' || /\s/.test(host)) continue;
    if (walk.subjects.length >= MAX_SUBJECTS) {
      walk.complete = false;
      return;
    }
    if (/^[/~.]/.test(host)) walk.subjects.push({ kind: 'path', field, value: host, access: walk.access });
    else walk.subjects.push({ kind: 'url', field, value: /^[\w+.-]+:\/\//.test(host) ? host : `https://${bracketed(host)}` });
  }
}

/** Puts an IPv6 address in brackets, as a URL requires. */
function bracketed(host: string): string {
  return /^[0-9a-f]*:[0-9a-f.]*:[0-9a-f:.]*$/i.test(host) ? `[${host}]` : host;
}

/** The files that a patch changes; a text of one line is a file name. */
function takePatch(field: string, value: string, walk: Walk): void {
  const { paths, complete } = patchPaths(value);
  const named = paths.length === 0 && !/[\r\n]/.test(value) ? [value] : paths;
  if (walk.subjects.length + named.length > MAX_SUBJECTS) walk.complete = false;
  for (const path of named.slice(0, MAX_SUBJECTS - walk.subjects.length)) takePath(field, path, walk.access, walk);
  // A header that cannot be read names an unknown file.
  if (!complete && /^(?:\+\+\+|---|\*\*\*|rename|copy) /m.test(value)) walk.complete = false;
}

/** A field's name in lower case without separators. */
function bareName(key: string): string {
  return key
    .slice(0, 80)
    .replace(/[_\-\s]/g, '')
    .toLowerCase();
}

/** The content that a field's name suggests. */
function kindOf(key: string): FieldKind | null {
  const name = bareName(key);
  if (COMMANDS.has(name) || COMMAND_ENDING.test(name)) return 'command';
  if (URLS.has(name) || URL_ENDING.test(name)) return 'url';
  if (HOSTS.has(name) || HOST_ENDING.test(name)) return 'host';
  if (PATCHES.has(name)) return 'patch';
  if (WRITTEN.test(name)) return 'written';
  return PATHS.has(name) || PATH_ENDING.test(name) ? 'path' : null;
}

/** What the names along a dotted field say that its text is, as for a call; the paths of a patch and a written file are paths. */
export function fieldKind(field: string): 'command' | 'path' | 'url' | 'host' | null {
  let kind: FieldKind | null = null;
  for (const name of field.split('.')) kind = kindOf(name) ?? kind;
  return kind === 'written' || kind === 'patch' ? 'path' : kind;
}

/** The path of a `file:` URL; null for any other text. */
export function fileOfUrl(value: string): string | null {
  const match = /^file:(?:\/\/[^/]*)?(\/[^?#]*)/i.exec(value);
  if (match?.[1] === undefined) return null;
  try {
    return decodeURIComponent(match[1]);
  } catch {
    return match[1];
  }
}
