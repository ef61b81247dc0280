/** Finds and reads the policy files of every layer (design "The policy file", "Which file is ours"). */
import { existsSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { documentExtends, type PolicyDocument, parsePolicy, presetDocument } from '../policy/document.js';
import type { PolicyLayer, PolicyLayerName } from '../policy/layers.js';
import type { Format } from '../policy/located.js';
import type { PolicyNote, PolicyProblem, PresetName } from '../policy/policy.js';
import { readText } from './read-file.js';

const EXTENSIONS: readonly (readonly [string, Format])[] = [
  ['yaml', 'yaml'],
  ['json', 'json'],
  ['toml', 'toml'],
];
const MAX_EXTENDS = 8;

/** Where the layers' files are looked for. */
export interface PolicyPlaces {
  readonly project: string;
  readonly userDirectory: string;
  readonly managedDirectory: string;
  /** `--policy F`: read as the cli layer. */
  readonly extra: string | null;
  /** `--preset P`, as if a file of the cli layer had said so. */
  readonly preset: PresetName | null;
  /** A person vouched for the project's own files. */
  readonly trustProject: boolean;
}

export interface ReadLayers {
  readonly layers: readonly PolicyLayer[];
  readonly problems: readonly PolicyProblem[];
  readonly notes: readonly PolicyNote[];
  /** Absolute paths of all files that were looked for, whether they are there or not. */
  readonly sources: readonly string[];
}

/** Reads every layer's file; a file that is there and cannot be used is a problem, never silently nothing. */
export function readLayers(places: PolicyPlaces): ReadLayers {
  const layers: PolicyLayer[] = [];
  const problems: PolicyProblem[] = [];
  const notes: PolicyNote[] = [];
  const sources = new Set<string>();
  const add = (layer: PolicyLayerName, folder: string, stem: string, trusted: boolean) => {
    const found = candidates(folder, stem, layer, places.project, problems, notes, sources);
    if (found === null) return;
    for (const document of withBases(found.document, found.path, layer, places.project, problems, sources))
      layers.push({ layer, trusted, document });
  };
  add('managed', places.managedDirectory, 'policy', true);
  add('user', places.userDirectory, 'policy', true);
  add('project', places.project, 'policy', places.trustProject);
  add('local', places.project, 'policy.local', places.trustProject);
  if (places.extra !== null) addExtra(places.extra, places.project, layers, problems, sources);
  if (places.preset !== null) layers.push({ layer: 'cli', trusted: true, document: presetDocument(places.preset) });
  return { layers, problems, notes, sources: [...sources] };
}

interface FoundDocument {
  readonly document: PolicyDocument;
  readonly path: string;
  readonly shown: string;
}

/** The one policy file of a folder; two of them are a problem, a foreign `policy.json` is a note. */
function candidates(
  folder: string,
  stem: string,
  layer: PolicyLayerName,
  project: string,
  problems: PolicyProblem[],
  notes: PolicyNote[],
  sources: Set<string>,
): FoundDocument | null {
  const found: FoundDocument[] = [];
  for (const [extension, format] of EXTENSIONS) {
    const path = join(folder, `${stem}.${extension}`);
    sources.add(path);
    if (!existsSync(path) && !isDanglingOrOdd(path)) continue;
    const read = readOne(path, format, layer, project);
    if (read.foreign)
      notes.push({
        code: 'file/foreign',
        message: `${read.shown} is not a policy of ours (no version and no known key); it is ignored`,
        source: start(read.shown),
      });
    problems.push(...read.problems);
    if (read.document !== null) found.push({ document: read.document, path, shown: read.shown });
    else if (!read.foreign && read.problems.length === 0)
      problems.push({ code: 'file/empty', message: 'is empty', source: start(read.shown) });
  }
  const [first, second] = found;
  if (first !== undefined && second !== undefined) {
    problems.push({
      code: 'file/two-candidates',
      message: `both ${first.shown} and ${second.shown} are policies; keep one of them`,
      source: start(second.shown),
    });
  }
  return first ?? null;
}

/** A name that exists as something that cannot be opened as a file is still a candidate: reading it reports why. */
function isDanglingOrOdd(path: string): boolean {
  const read = readText(path, { limit: 1, follow: false });
  return !read.ok && read.code !== 'missing';
}

interface ReadDocument {
  readonly document: PolicyDocument | null;
  readonly problems: readonly PolicyProblem[];
  readonly foreign: boolean;
  readonly shown: string;
}

function readOne(path: string, format: Format, layer: PolicyLayerName, project: string): ReadDocument {
  const shown = shownPath(path, project);
  const inside = layer === 'project' || layer === 'local';
  if (inside && leadsOutside(path, project)) {
    return {
      document: null,
      foreign: false,
      shown,
      problems: [
        {
          code: 'file/outside',
          message: 'is a link that leads out of the project; a policy must be a file of its own',
          source: start(shown),
        },
      ],
    };
  }
  const text = readText(path);
  if (!text.ok)
    return {
      document: null,
      foreign: false,
      shown,
      problems: [{ code: `file/${text.code}`, message: `${shown} ${text.message}`, source: start(shown) }],
    };
  return { ...parsePolicy(text.text, { file: shown, format, layer }), shown };
}

function leadsOutside(path: string, project: string): boolean {
  const inside = relative(project, realOrSelf(path));
  return inside === '..' || inside.startsWith('../') || isAbsolute(inside);
}

function realOrSelf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

function start(file: string) {
  return { file, line: 1, column: 1 };
}

/** Paths are shown relative to the project where that is shorter and stays inside. */
function shownPath(path: string, project: string): string {
  const inside = relative(project, path);
  return inside !== '' && !inside.startsWith('..') && !isAbsolute(inside) ? inside : path;
}

/** The document preceded by the bases that its `extends` names, nearest last; loops and missing bases are problems. */
function withBases(
  document: PolicyDocument,
  path: string,
  layer: PolicyLayerName,
  project: string,
  problems: PolicyProblem[],
  sources: Set<string>,
): PolicyDocument[] {
  const chain = [document];
  const seen = new Set([path]);
  let folder = dirname(path);
  for (let base = documentExtends(document); base !== null; ) {
    const file = resolve(folder, base.path);
    sources.add(file);
    const read = seen.has(file) || chain.length > MAX_EXTENDS ? LOOP : readBase(file, layer, project);
    if (typeof read === 'string')
      problems.push({ code: 'policy/extends', message: `extends ${base.path} ${read}`, source: base.source });
    else problems.push(...read.problems);
    if (typeof read === 'string' || read.document === null) break;
    seen.add(file);
    chain.unshift(read.document);
    folder = dirname(file);
    base = documentExtends(read.document);
  }
  return chain;
}

const LOOP = 'leads back to a file that was already read';

/** A base file, or the rest of the sentence that says why it cannot be one. */
function readBase(file: string, layer: PolicyLayerName, project: string): ReadDocument | string {
  const format = EXTENSIONS.find(([extension]) => file.endsWith(`.${extension}`))?.[1];
  if (format === undefined) return 'is neither .yaml nor .json nor .toml';
  if ((layer === 'project' || layer === 'local') && leadsOutside(file, project))
    return 'leads out of the project; name a file inside it';
  const read = readOne(file, format, layer, project);
  return read.document === null && read.problems.length === 0 ? 'is not a policy: it has no version and no known key' : read;
}

function addExtra(file: string, project: string, layers: PolicyLayer[], problems: PolicyProblem[], sources: Set<string>): void {
  const path = resolve(file);
  sources.add(path);
  const format = EXTENSIONS.find(([extension]) => path.endsWith(`.${extension}`))?.[1] ?? 'yaml';
  const read = readOne(path, format, 'cli', project);
  problems.push(...read.problems);
  if (read.document === null) return;
  for (const document of withBases(read.document, path, 'cli', project, problems, sources))
    layers.push({ layer: 'cli', trusted: true, document });
}
