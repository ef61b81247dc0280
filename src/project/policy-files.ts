/** Finds and reads the policy files of every layer. */
import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { realOrSelf } from '../disk/git/directory.js';
import { isInside } from '../disk/inside.js';
import { readText } from '../disk/read.js';
import { documentExtends, type PolicyDocument, parsePolicy, presetDocument } from '../policy/document.js';
import type { PolicyLayer, PolicyLayerName } from '../policy/layers.js';
import type { PolicyNote, PolicyProblem, PresetName } from '../policy/policy.js';
import type { Format } from '../policy/read/located.js';
import { projectOf } from './project.js';
import type { RecordedFile } from './trust-record.js';

const EXTENSIONS: readonly (readonly [string, Format])[] = [
  ['yaml', 'yaml'],
  ['json', 'json'],
  ['toml', 'toml'],
];
const MAX_EXTENDS = 8;

/** Where the files of the layers are searched. */
export interface PolicyPlaces {
  readonly project: string;
  /** Policies of the folders between the project and this one can add restrictions; null: there are none to consider. */
  readonly cwd: string | null;
  readonly userDirectory: string;
  readonly managedDirectory: string;
  /** `--policy F`: read as the cli layer. */
  readonly extra: string | null;
  /** `--preset P`, treated as set by a file of the cli layer. */
  readonly preset: PresetName | null;
}

export interface ReadLayers {
  /** In layer order. The project's own layers are not trusted: the caller has to check that (trust.ts). */
  readonly layers: readonly PolicyLayer[];
  /** The project's own files, bases included, in the order in which they apply. */
  readonly own: readonly OwnFile[];
  /** The project has no policy here (an old branch), so the last trusted files apply. */
  readonly isRecorded: boolean;
  readonly problems: readonly PolicyProblem[];
  readonly notes: readonly PolicyNote[];
  /** Files with our names that belong to another tool, relative to the project. */
  readonly foreign: readonly string[];
  /** Absolute paths of all files that were looked for, whether or not they exist. */
  readonly sources: readonly string[];
}

/** A policy file of the project itself. */
export interface OwnFile {
  readonly document: PolicyDocument;
  readonly text: string;
}

/** Where a checkout without a policy gets it from. */
export interface PolicyElsewhere {
  /** The main checkout of a linked worktree; its local policy applies there, too. */
  readonly main: string | null;
  /** The shared files that a person trusted last. */
  readonly recorded: readonly RecordedFile[];
}

/** Reads every layer's file; an existing file that cannot be used is a problem, and never ignored silently. */
export function readLayers(places: PolicyPlaces, { main, recorded }: PolicyElsewhere = NOWHERE): ReadLayers {
  const reader = new LayerReader(places.project);
  reader.add('managed', places.managedDirectory, 'policy', true);
  reader.add('user', places.userDirectory, 'policy', true);
  const isMissing = (files: readonly OwnFile[]) => files.length === 0 && reader.problems.length === 0;
  let shared = reader.add('project', places.project, 'policy', false);
  if (isMissing(shared) && main !== null) shared = reader.add('project', main, 'policy', false, main);
  const isRecorded = isMissing(shared) && recorded.length > 0;
  if (isRecorded) shared = reader.addRecorded(recorded);
  const own = [
    ...shared,
    ...(main === null ? [] : reader.add('local', main, 'policy.local', false, main)),
    ...reader.add('local', places.project, 'policy.local', false),
  ];
  const { foreign } = reader;
  for (const folder of places.cwd === null ? [] : foldersBetween(places.project, places.cwd)) {
    const within = isInside(folder, places.project) ? places.project : projectOf(folder);
    reader.add('project', folder, 'policy', false, within);
    reader.add('local', folder, 'policy.local', false, within);
  }
  if (places.extra !== null) reader.addExtra(places.extra);
  if (places.preset !== null) reader.layers.push({ layer: 'cli', trusted: true, document: presetDocument(places.preset) });
  const { layers, problems, notes, sources } = reader;
  return { layers, own, isRecorded, problems, notes, foreign: [...foreign], sources: [...sources] };
}

const NOWHERE: PolicyElsewhere = { main: null, recorded: [] };

/**
 * Returns the folders below `project` on the way to `folder`, which is the last of them. If `folder` is elsewhere: those of its
 * own project, including its top.
 */
function foldersBetween(project: string, folder: string): string[] {
  if (folder === project) return [];
  if (isInside(folder, project)) return [...foldersBetween(project, dirname(folder)), folder];
  const top = projectOf(folder);
  return [top, ...foldersBetween(top, folder)];
}

/** The owner of the files being read. */
interface LayerSource {
  readonly layer: PolicyLayerName;
  /** The folder to which shown paths are relative. */
  readonly project: string;
  /** The folder that must contain a project's own files. */
  readonly within: string;
}

interface FoundDocument extends OwnFile {
  readonly path: string;
  readonly shown: string;
}

/** Collects the layers, and all problems and notes about their files. */
class LayerReader {
  readonly layers: PolicyLayer[] = [];
  readonly problems: PolicyProblem[] = [];
  readonly notes: PolicyNote[] = [];
  readonly sources = new Set<string>();
  foreign: readonly string[] = [];
  private readonly project: string;

  constructor(project: string) {
    this.project = project;
  }

  /**
   * Adds the layer of a folder with its bases; returns the files that it was made from. A project's own files have to be inside `within`.
   */
  add(layer: PolicyLayerName, folder: string, stem: string, trusted: boolean, within = this.project): OwnFile[] {
    const source: LayerSource = { layer, project: this.project, within };
    const found = this.candidate(folder, stem, source);
    const files = found === null ? [] : this.withBases(found, source);
    for (const { document } of files) this.layers.push({ layer, trusted, document });
    return files;
  }

  /** Adds the project's own files as a person trusted them. */
  addRecorded(recorded: readonly RecordedFile[]): OwnFile[] {
    return recorded.flatMap(({ file, text }) => {
      const { document, problems } = parsePolicy(text, { file, format: formatOf(file) ?? 'yaml', layer: 'project' });
      this.problems.push(...problems);
      if (document === null) return [];
      this.layers.push({ layer: 'project', trusted: false, document });
      return [{ document, text }];
    });
  }

  addExtra(file: string): void {
    const path = resolve(file);
    this.sources.add(path);
    const format = formatOf(path) ?? 'yaml';
    const source: LayerSource = { layer: 'cli', project: this.project, within: this.project };
    const { shown, problems, found } = readOne(path, format, source);
    this.problems.push(...problems);
    if (found === null) return;
    for (const { document } of this.withBases({ ...found, path, shown }, source))
      this.layers.push({ layer: 'cli', trusted: true, document });
  }

  /** Returns the single policy file of a folder; two of them are a problem, a foreign `policy.json` is a note. */
  private candidate(folder: string, stem: string, layerSource: LayerSource): FoundDocument | null {
    const candidates: FoundDocument[] = [];
    for (const [extension, format] of EXTENSIONS) {
      const path = join(folder, `${stem}.${extension}`);
      this.sources.add(path);
      if (!existsSync(path) && !isDanglingOrOdd(path)) continue;
      const { shown, problems, foreign, found } = readOne(path, format, layerSource);
      if (foreign) {
        this.foreign = [...this.foreign, shown];
        const message = `${shown} is ignored, because it is not a policy file of this program: that has a version and a key such as allow`;
        this.notes.push({ code: 'file/foreign', message, source: start(shown) });
      }
      this.problems.push(...problems);
      if (found !== null) candidates.push({ ...found, path, shown });
      else if (!foreign && problems.length === 0)
        this.problems.push({ code: 'file/empty', message: 'is empty', source: start(shown) });
    }
    const [first, second] = candidates;
    if (first !== undefined && second !== undefined) {
      const message = `both ${first.shown} and ${second.shown} are policies; keep one of them`;
      this.problems.push({ code: 'file/two-candidates', message, source: start(second.shown) });
    }
    return first ?? null;
  }

  /** Returns the document preceded by the bases that its `extends` names, nearest last; loops and missing bases are problems. */
  private withBases({ document, text, path }: FoundDocument, source: LayerSource): OwnFile[] {
    const chain: OwnFile[] = [{ document, text }];
    const seen = new Set([path]);
    let folder = dirname(path);
    for (let base = documentExtends(document); base !== null; ) {
      const file = resolve(folder, base.path);
      this.sources.add(file);
      const read = seen.has(file) || chain.length > MAX_EXTENDS ? LOOP : readBase(file, source);
      if (typeof read === 'string')
        this.problems.push({ code: 'policy/extends', message: `extends ${base.path}, which ${read}`, source: base.source });
      else this.problems.push(...read.problems);
      if (typeof read === 'string' || read.found === null) break;
      seen.add(file);
      chain.unshift(read.found);
      folder = dirname(file);
      base = documentExtends(read.found.document);
    }
    return chain;
  }
}

function formatOf(file: string): Format | undefined {
  return EXTENSIONS.find(([extension]) => file.endsWith(`.${extension}`))?.[1];
}

/** An existing name that cannot be opened as a file is still a candidate: reading it reports the reason. */
function isDanglingOrOdd(path: string): boolean {
  const read = readText(path, { limit: 1, follow: false });
  return !read.ok && read.code !== 'missing';
}

interface ReadDocument {
  readonly found: OwnFile | null;
  readonly problems: readonly PolicyProblem[];
  readonly foreign: boolean;
  readonly shown: string;
}

function readOne(path: string, format: Format, source: LayerSource): ReadDocument {
  const { layer, project } = source;
  const shown = shownPath(path, project);
  const refused = (code: string, message: string): ReadDocument => ({
    found: null,
    foreign: false,
    shown,
    problems: [{ code, message, source: start(shown) }],
  });
  if (leadsOutside(path, source))
    return refused('file/outside', 'is a link that leads out of the project; a policy must be a file of its own');
  const text = readText(path);
  if (!text.ok) return refused(`file/${text.code}`, `${shown} ${text.message}`);
  const { document, problems, foreign } = parsePolicy(text.text, { file: shown, format, layer });
  return { found: document === null ? null : { document, text: text.text }, problems, foreign, shown };
}

/** Whether a project's own policy would come from elsewhere, which is only allowed for those of the user and the administrator. */
function leadsOutside(path: string, { layer, within }: LayerSource): boolean {
  return (layer === 'project' || layer === 'local') && !isInside(realOrSelf(path), within);
}

function start(file: string) {
  return { file, line: 1, column: 1 };
}

/** Shows a path relative to the project if it is inside. */
function shownPath(path: string, project: string): string {
  const inside = relative(project, path);
  return inside !== '' && !inside.startsWith('..') && !isAbsolute(inside) ? inside : path;
}

const LOOP = 'leads back to a file that was already read';

/** Returns a base file, or the rest of a sentence that states why it cannot be one. */
function readBase(file: string, source: LayerSource): ReadDocument | string {
  const format = formatOf(file);
  if (format === undefined) return 'is neither .yaml nor .json nor .toml';
  if (leadsOutside(file, source)) return 'leads out of the project; name a file inside it';
  const read = readOne(file, format, source);
  if (read.problems.some(({ code }) => code === 'file/missing')) return 'does not exist';
  return read.found === null && read.problems.length === 0
    ? 'is not a policy file: that has a version and a key such as allow'
    : read;
}
