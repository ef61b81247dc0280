/** `cp x/policy.yaml .` writes `./policy.yaml`: the names that copying commands give their sources below a folder. */
import type { CommandEffect, GrammarVerdict } from '../model/command.js';

/** Commands whose destination may be a folder, in which every source gets its own last name. */
const COPIERS: ReadonlySet<string> = new Set(['cp', 'mv', 'ln', 'install', 'rsync', 'scp']);

/** The verdict, with the names that its written paths would get below them if they are folders. */
export function withCopiedNames(verdict: GrammarVerdict, words: readonly (string | null)[]): GrammarVerdict {
  if (!COPIERS.has(verdict.words[0] ?? '')) return verdict;
  const { effects } = verdict;
  const [copier] = verdict.words;
  const isRsync = copier === 'rsync';
  const isOnto = words.some((word) => word !== null && ONTO.test(word));
  const names = effects.flatMap((effect) =>
    effect.action === 'write'
      ? []
      : isOnto || (isRsync && isContents(effect))
        ? ANY_NAMES
        : namesOf(effect, isRsync || copier === 'scp'),
  );
  return { ...verdict, effects: effects.map((effect) => (effect.action === 'write' ? { ...effect, names } : effect)) };
}

/** `cp -rT x y`: what lies in x comes into y. */
const ONTO = /^(?:-[a-zA-Z]*T.*|--no-t.*)$/;

/** `rsync x/ y` puts into y what lies in x, without the name x. */
function isContents({ path }: CommandEffect): boolean {
  return path?.value?.endsWith('/') === true;
}

/** What lies in a folder may have any name. */
const ANY_NAMES: readonly string[] = ['.*', '*'];

/**
 * The last name of a source, or the pattern of its names; nothing where only the shell knows it.
 * @param hosted a source may be `host:name`
 */
function namesOf({ path }: CommandEffect, hosted: boolean): readonly string[] {
  const value = path === null ? null : path.value;
  if (value === null) return [];
  const last = value.replace(/\/+$/, '').split('/').at(-1) ?? '';
  const name = hosted ? last.slice(last.lastIndexOf(':') + 1) : last;
  if (name === '.' || name === '..') return ANY_NAMES;
  return name === '' ? [] : [name];
}
