/** `policy remove`: finds the file that contains a rule, and removes the rule from it. */
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from '../disk/lock.js';
import { replaceFile, WriteError } from '../disk/replace.js';
import { parsePolicy } from '../policy/document.js';
import { removeRule } from '../policy/edit/rules.js';
import { verifyRuleExamples } from '../policy/examples.js';
import { type RetrustPlaces, standingOf, trustRemoved } from '../project/retrust.js';
import { ruleMatches } from '../project/rule-examples.js';
import { parseEntry, printEntry } from '../rule/pattern/entry.js';
import type { PermissionRule } from '../rule/pattern/permission-rule.js';
import { EditError } from './rule-edit.js';
import { type EditedLayer, type EditTarget, editTarget } from './rule-edit-target.js';

/** A file as it will be without a rule. */
export interface PlannedRemoval {
  readonly target: EditTarget;
  readonly text: string;
  readonly removed: PermissionRule;
}

/** Returns the rules with a text in the files of some layers, with the file of each. Throws WriteError and EditError, like `planEdit`. */
export function holdersOf(text: string, layers: readonly EditedLayer[], places: RetrustPlaces): readonly Holder[] {
  return layers.flatMap((layer) => {
    const target = editTarget(layer, places);
    if (target.text === null || target.text.trim() === '') return [];
    const { document, problems } = parsePolicy(target.text, target);
    if (document === null) throw new EditError(problems);
    return document.rules.filter((rule) => printed(rule.text) === printed(text)).map((rule) => ({ target, rule }));
  });
}

export interface Holder {
  readonly target: EditTarget;
  readonly rule: PermissionRule;
}

function printed(text: string): string {
  const entry = parseEntry(text);
  return entry.ok ? printEntry(entry) : text;
}

/**
 * Plans the edit that removes the rule from its file. Throws EditError if its place in the text is unclear, or an example no longer holds.
 */
export function planRemoval({ target, rule }: Holder): PlannedRemoval {
  const edited = removeRule(target.text ?? '', rule, target);
  if (!edited.ok) throw new EditError(edited.problems);
  const broken = verifyRuleExamples(edited.document.rules, ruleMatches);
  if (broken.length > 0) throw new EditError(broken);
  return { target, text: edited.text, removed: rule };
}

/**
 * Writes the file without the rule, unless it has changed since it was read. Trusts only this removal. Returns whether the
 * project's files are trusted as before. Throws WriteError, LockError; then nothing was changed.
 */
export function writeRemoval({ target, text, removed }: PlannedRemoval, places: RetrustPlaces): boolean {
  const own = target.layer !== 'user';
  const name = createHash('sha256')
    .update(own ? places.project : places.userDirectory)
    .digest('hex')
    .slice(0, 32);
  const locks = join(places.stateDirectory, 'locks');
  mkdirSync(locks, { recursive: true, mode: 0o700 });
  return withLock(join(locks, `edit-${name}`), () => {
    const before = standingOf(places);
    if (editTarget(target.layer, places).text !== target.text)
      throw new WriteError(`${target.file} was changed by somebody else meanwhile; nothing was written`);
    replaceFile(target.path, target.text, text, target.mode);
    return !own || trustRemoved(places, before, removed);
  });
}
