/** Finds and reads the policy files of every layer (design "The policy file", "Which file is ours"). */
import { existsSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import type { PolicyLayer } from '../policy/layers.js';
import { type PolicyDocument, type PolicyFormat, parsePolicy } from '../policy/parse.js';
import type { PolicyNote, PolicyProblem } from '../policy/policy.js';
import type { LayerName } from '../rule/permission-rule.js';
import { readText } from './read-file.js';

const EXTENSIONS: readonly (readonly [string, PolicyFormat])[] = [
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
  /** A person vouched for the project's own files. */
  readonly trustProject: boolean;
}

export interface ReadLayers {
  readonly layers: readonly PolicyLayer[];
  readonly problems: readonly PolicyProblem[];
  readonly notes: readonly PolicyNote[];
}

/** Reads every layer's file; a file that is there and cannot be used is a problem, never silently nothing. */
export function readLayers(places: PolicyPlaces): ReadLayers {
  const layers: PolicyLayer[] = [];
  const problems: PolicyProblem[] = [];
  const notes: PolicyNote[] = [];
  const add = (layer: LayerName, folder: string, stem: string, trusted: boolean) => {
    const found = candidates(folder, stem, layer, places.project, problems, notes);
    if (found === null) return;
    const chain = withBases(found.document, found.path, layer, places.project, problems);
    layers.push({ layer, file: found.shown, trusted, documents: chain });
  };
  add('managed', places.managedDirectory, 'policy', true);
  add('user', places.userDirectory, 'policy', true);
  add('project', places.project, 'policy', places.trustProject);
  add('local', places.project, 'policy.local', places.trustProject);
  if (places.extra !== null) addExtra(places.extra, places.project, layers, problems);
  return { layers, problems, notes };
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
  layer: LayerName,
  project: string,
  problems: PolicyProblem[],
  notes: PolicyNote[],
): FoundDocument | null {
  const found: FoundDocument[] = [];
  for (const [extension, format] of EXTENSIONS) {
    const path = join(folder, `${stem}.${extension}`);
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

function readOne(path: string, format: PolicyFormat, layer: LayerName, project: string): ReadDocument {
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
  try {
    const real = realpathSync.native(path);
    return relative(project, real).startsWith('..') || isAbsolute(relative(project, real));
  } catch {
    return false;
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
  layer: LayerName,
  project: string,
  problems: PolicyProblem[],
): PolicyDocument[] {
  const chain = [document];
  let current = document;
  let folder = dirname(path);
  const seen = new Set([path]);
  while (current.extends !== null) {
    const base = resolve(folder, current.extends.file);
    const bad = (code: string, message: string) =>
      problems.push({ code, message, source: current.extends?.source ?? start(path) });
    if (seen.has(base) || chain.length > MAX_EXTENDS) {
      bad('extends/loop', `extends ${current.extends.file} leads back to a file already read`);
      break;
    }
    if ((layer === 'project' || layer === 'local') && leadsOutside(base, project)) {
      bad('extends/outside', `extends ${current.extends.file} leads out of the project; name a file inside it`);
      break;
    }
    seen.add(base);
    const format = EXTENSIONS.find(([extension]) => base.endsWith(`.${extension}`))?.[1];
    if (format === undefined) {
      bad('extends/format', `extends ${current.extends.file} is neither .yaml nor .json nor .toml`);
      break;
    }
    const read = readOne(base, format, layer, project);
    problems.push(...read.problems);
    if (read.document === null) {
      if (read.problems.length === 0) bad('extends/foreign', `${current.extends.file} is not a policy`);
      break;
    }
    chain.unshift(read.document);
    current = read.document;
    folder = dirname(base);
  }
  return chain;
}

function addExtra(file: string, project: string, layers: PolicyLayer[], problems: PolicyProblem[]): void {
  const path = resolve(file);
  const format = EXTENSIONS.find(([extension]) => path.endsWith(`.${extension}`))?.[1] ?? 'yaml';
  const read = readOne(path, format, 'cli', project);
  problems.push(...read.problems);
  if (read.document !== null)
    layers.push({
      layer: 'cli',
      file: read.shown,
      trusted: true,
      documents: withBases(read.document, path, 'cli', project, problems),
    });
  else if (read.problems.length === 0)
    problems.push({
      code: 'file/foreign',
      message: 'is not a policy: it has no version and no known key',
      source: start(read.shown),
    });
}
