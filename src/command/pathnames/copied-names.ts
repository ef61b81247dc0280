/** `cp x/policy.yaml .` writes `./policy.yaml`: the names that copying commands give their sources below a directory. */
import type { CommandEffect, GrammarVerdict } from '../model/command.js';

/** Commands whose destination may be a directory, in which every source keeps its last name. */
const COPIERS: ReadonlySet<string> = new Set(['cp', 'mv', 'ln', 'install', 'rsync', 'scp']);

/** The verdict, with the names that sources would get below its written paths if those are directories. */
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

/** `cp -rT x y`: the contents of x go into y. */
const ONTO = /^(?:-[a-zA-Z]*T.*|--no-t.*)$/;

/** `rsync x/ y` copies the contents of x into y, without the name x. */
function isContents({ path }: CommandEffect): boolean {
  return path?.value?.endsWith('/') === true;
}

/** The contents of a directory may have any names. */
const ANY_NAMES: readonly string[] = ['.*', '*'];

/**
 * The last name of a source, or the pattern of its names; empty when it cannot be analysed.
 * @param hosted whether a source may be `host:name`
 */
function namesOf({ path }: CommandEffect, hosted: boolean): readonly string[] {
  const value = path === null ? null : path.value;
  if (value === null) return [];
  const last = value.replace(/\/+$/, '').split('/').at(-1) ?? '';
  const name = hosted ? last.slice(last.lastIndexOf(':') + 1) : last;
  if (name === '.' || name === '..') return ANY_NAMES;
  return name === '' ? [] : [name];
}
