/** `policy observe`: whether the policy of this user blocks or only observes, and writing that into their own policy file. */
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from '../disk/lock.js';
import { replaceFile, WriteError } from '../disk/replace.js';
import { composePolicy } from '../policy/compose.js';
import { type PolicyDocument, parsePolicy } from '../policy/document.js';
import { newModeText, setMode } from '../policy/edit/mode.js';
import type { PolicyLayer } from '../policy/layers.js';
import type { Policy } from '../policy/policy.js';
import { readLayers } from '../project/policy-files.js';
import type { RetrustPlaces } from '../project/retrust.js';
import type { SourcePosition } from '../rule/pattern/permission-rule.js';
import { EditError } from './rule-edit.js';
import { type EditTarget, editTarget } from './rule-edit-target.js';

type Mode = Policy['mode'];

/** No project takes part: it may not say the mode. */
export type ModePlaces = Omit<RetrustPlaces, 'project'>;

/** The mode that counts, and where it is written; `source` is null when no policy says it. */
export interface ModeStanding {
  readonly mode: Mode;
  readonly source: SourcePosition | null;
  /** Why a mode that is written does not count, a sentence each. */
  readonly ignored: readonly string[];
}

/** The user's policy file as it will be. */
export interface PlannedMode {
  readonly target: EditTarget;
  readonly mode: Mode;
  /** Equal to the text of the target when there is nothing to do. */
  readonly text: string;
  /** Line of the text that says the mode. */
  readonly line: number;
  /** What the file says now; null when it says nothing. */
  readonly before: Mode | null;
  /** What will count once it is written. */
  readonly after: ModeStanding;
}

/** The mode that the user's and the managed policies give. Throws EditError for a policy file with mistakes. */
export function modeStanding(places: ModePlaces): ModeStanding {
  return standingIn(managersOf(places));
}

/**
 * The edit that gives the user's policy this mode; a file is made when there is none. To end observing where nothing observes changes
 * nothing. Throws WriteError for a file that cannot be ours, EditError for one with mistakes or without a clear place for the mode.
 */
export function planMode(mode: Mode, places: ModePlaces): PlannedMode {
  const target = editTarget('user', withoutProject(places));
  const layers = managersOf(places);
  const text = target.text ?? '';
  const isNew = text.trim() === '';
  const document = isNew ? null : documentOf(text, target);
  const before = document === null ? null : writtenMode(document);
  const standing = standingIn(layers);
  if (before?.value === mode || (before === null && mode === 'enforce' && standing.mode === 'enforce'))
    return { target, mode, text, line: before?.line ?? 1, before: before?.value ?? null, after: standing };
  const edited = isNew
    ? { ok: true as const, text: newModeText(mode), document: documentOf(newModeText(mode), target) }
    : setMode(text, mode, target);
  if (!edited.ok) throw new EditError(edited.problems);
  // The file itself is the last one of its layer; what it extends stands before it.
  const others = layers.filter(({ layer, document: own }) => layer !== 'user' || own.file !== lastUserFile(layers));
  const after = standingIn([...others, { layer: 'user', trusted: true, document: edited.document }]);
  const line = writtenMode(edited.document)?.line ?? 1;
  return { target, mode, text: edited.text, line, before: before?.value ?? null, after };
}

/**
 * Writes what was planned, unless the file was changed since it was read. Throws WriteError and LockError; then nothing was changed.
 * The state directory exists and is ours.
 */
export function writeMode({ target, text }: PlannedMode, places: ModePlaces): void {
  const name = createHash('sha256').update(places.userDirectory).digest('hex').slice(0, 32);
  const locks = join(places.stateDirectory, 'locks');
  mkdirSync(locks, { recursive: true, mode: 0o700 });
  withLock(join(locks, `edit-${name}`), () => {
    const now = editTarget('user', withoutProject(places));
    if (now.path !== target.path || now.text !== target.text)
      throw new WriteError(`${target.file} was changed by somebody else meanwhile; nothing was written. Run the command again`);
    replaceFile(target.path, target.text, text, target.mode);
  });
}

/** The state folder stands for the project: there is no policy in it, and all files are named by their whole path. */
function withoutProject(places: ModePlaces): RetrustPlaces {
  return { ...places, project: places.stateDirectory };
}

/** The only two layers that may say the mode. An empty file of the user's is as good as none. */
function managersOf(places: ModePlaces): readonly PolicyLayer[] {
  const { layers, problems } = readLayers({ ...withoutProject(places), cwd: null, extra: null, preset: null });
  const { file, text } = editTarget('user', withoutProject(places));
  const mistakes = problems.filter(({ source }) => text === null || text.trim() !== '' || source.file !== file);
  if (mistakes.length > 0) throw new EditError(mistakes);
  return layers.filter(({ layer }) => layer === 'user' || layer === 'managed');
}

function lastUserFile(layers: readonly PolicyLayer[]): string | undefined {
  return layers.findLast(({ layer }) => layer === 'user')?.document.file;
}

function standingIn(layers: readonly PolicyLayer[]): ModeStanding {
  const { mode, notes } = composePolicy(layers, { repository: '/' }).policy;
  const places = layers.flatMap(({ document }) => document.settings.filter(({ key }) => key === 'mode'));
  const ignored = notes.filter(({ source }) => places.some((one) => one.source === source));
  const counting = places.findLast(({ value, source }) => value === mode && !ignored.some((one) => one.source === source));
  return { mode, source: counting?.source ?? null, ignored: ignored.map(({ message }) => message) };
}

function documentOf(text: string, target: EditTarget): PolicyDocument {
  const { document, problems } = parsePolicy(text, target);
  if (document === null) throw new EditError(problems);
  return document;
}

function writtenMode({ settings }: PolicyDocument): { readonly value: Mode; readonly line: number } | null {
  const setting = settings.find(({ key }) => key === 'mode');
  if (setting === undefined) return null;
  return { value: setting.value === 'observe' ? 'observe' : 'enforce', line: setting.source.line };
}
