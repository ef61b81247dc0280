/** The policy file that a rule is written to: one per layer, where the layer's own reader looks for it. */
import { existsSync, lstatSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import { repositoryTop } from '../disk/git/directory.js';
import { readText } from '../disk/read.js';
import { realPath } from '../disk/real-path.js';
import { WriteError } from '../disk/replace.js';
import { parsePolicy } from '../policy/document.js';
import type { Format } from '../policy/read/located.js';
import { FORMATS } from '../policy/read/located.js';

export const EDITED_LAYERS = ['user', 'project', 'local'] as const;
export type EditedLayer = (typeof EDITED_LAYERS)[number];

export interface EditTarget {
  readonly layer: EditedLayer;
  /** Real path of the file, or its future path. */
  readonly path: string;
  /** As messages name it. */
  readonly file: string;
  readonly format: Format;
  /** Its content; null if it does not exist yet. */
  readonly text: string | null;
  /** File mode for a new file. */
  readonly mode: number;
}

export interface EditPlaces {
  /** Real path. */
  readonly project: string;
  readonly userDirectory: string;
}

/**
 * Returns the default layer for a rule: `local`, this person in this project, as with Claude Code's "don't ask again"; outside of
 * any repository, and without a policy file, null: a person has to choose.
 */
export function defaultLayer({ project }: Pick<EditPlaces, 'project'>): 'local' | null {
  const stems = ['policy', 'policy.local'];
  const known = stems.some((stem) => FORMATS.some((format) => existsSync(join(project, `${stem}.${format}`))));
  return known || repositoryTop(project) !== null ? 'local' : null;
}

/**
 * Returns the file of a layer. A new one is YAML. Throws WriteError for two policies next to each other, for another tool's
 * `policy.json` in the place of ours, and for a link that leads out of the project.
 */
export function editTarget(layer: EditedLayer, places: EditPlaces): EditTarget {
  const folder = layer === 'user' ? places.userDirectory : places.project;
  const stem = layer === 'local' ? 'policy.local' : 'policy';
  const mode = layer === 'user' ? 0o600 : 0o644;
  const found = FORMATS.flatMap((format) => {
    const path = join(folder, `${stem}.${format}`);
    return lstatSync(path, { throwIfNoEntry: false }) === undefined ? [] : [existing(path, format, layer, places, mode)];
  }).filter((target) => target !== null);
  const [first, second] = found;
  if (first !== undefined && second !== undefined)
    throw new WriteError(`both ${first.file} and ${second.file} are policies; keep one of them`);
  if (first !== undefined) return first;
  const path = join(realOr(folder), `${stem}.yaml`);
  if (existsSync(path)) throw new WriteError(`${shown(path, places)} is another tool's file; a policy cannot have its name`);
  return { layer, path, file: shown(path, places), format: 'yaml', text: null, mode };
}

/** Returns an existing file; null if it belongs to another tool. */
function existing(path: string, format: Format, layer: EditedLayer, places: EditPlaces, mode: number): EditTarget | null {
  const file = shown(path, places);
  const real = realPath(path);
  if (real === null) throw new WriteError(`${file} is a link that leads nowhere`);
  if (layer !== 'user' && outside(places.project, real))
    throw new WriteError(`${file} is a link that leads out of the project; a policy must be a file of its own`);
  const read = readText(real);
  if (!read.ok) throw new WriteError(`${file} ${read.message}`);
  if (parsePolicy(read.text, { file, format, layer }).foreign && read.text.trim() !== '') return null;
  return { layer, path: real, file, format, text: read.text, mode };
}

function outside(project: string, path: string): boolean {
  const inside = relative(project, path);
  return inside === '..' || inside.startsWith('../') || isAbsolute(inside);
}

/** Returns the path relative to the project if it is inside. */
function shown(path: string, { project }: EditPlaces): string {
  return outside(project, path) ? path : relative(project, path);
}

function realOr(path: string): string {
  return realPath(path) ?? path;
}
