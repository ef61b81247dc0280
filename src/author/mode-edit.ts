/** `policy observe`: determines whether this user's policy blocks or only observes, and writes that into the user's own policy file. */
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

/** Without a project, which may not set the mode. */
export type ModePlaces = Omit<RetrustPlaces, 'project'>;

/** The mode in force, and its position; `source` is null if no policy sets it. */
export interface ModeStanding {
  readonly mode: Mode;
  readonly source: SourcePosition | null;
  /** Reasons why a written mode has no effect, one sentence each. */
  readonly ignored: readonly string[];
}

/** The user's policy file as it will be. */
export interface PlannedMode {
  readonly target: EditTarget;
  readonly mode: Mode;
  /** Equal to the text of the target if there is nothing to do. */
  readonly text: string;
  /** Line of the text that sets the mode. */
  readonly line: number;
  /** The mode in the current file; null if it sets none. */
  readonly before: Mode | null;
  /** The mode in force after the change. */
  readonly after: ModeStanding;
}

/** Returns the mode set by the user's and the managed policies. Throws EditError for a policy file with mistakes. */
export function modeStanding(places: ModePlaces): ModeStanding {
  return standingIn(managersOf(places));
}

/**
 * Plans the edit that sets this mode in the user's policy; creates the file if it does not exist. Ending observe mode changes
 * nothing if nothing observes. Throws WriteError for a file that must not be edited, EditError for one with mistakes or without a
 * clear place for the mode.
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
  // The file itself is the last one of its layer; the files that it extends precede it.
  const others = layers.filter(({ layer, document: own }) => layer !== 'user' || own.file !== lastUserFile(layers));
  const after = standingIn([...others, { layer: 'user', trusted: true, document: edited.document }]);
  const line = writtenMode(edited.document)?.line ?? 1;
  return { target, mode, text: edited.text, line, before: before?.value ?? null, after };
}

/**
 * Writes the planned text, unless the file has changed since it was read. Throws WriteError and LockError; then nothing was
 * changed. The state directory exists and belongs to the user alone.
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

/** Uses the state directory as the project: it contains no policy, so all files are named by their full paths. */
function withoutProject(places: ModePlaces): RetrustPlaces {
  return { ...places, project: places.stateDirectory };
}

/** Returns the only two layers that may set the mode. An empty file of the user is ignored. */
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
