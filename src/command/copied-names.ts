/** `cp x/policy.yaml .` writes `./policy.yaml`: the names that copying commands give their sources below a folder. */
import type { CommandEffect, GrammarVerdict } from './command.js';

/** Commands whose destination may be a folder, in which every source gets its own last name. */
const COPIERS: ReadonlySet<string> = new Set(['cp', 'mv', 'ln', 'install', 'rsync', 'scp']);

/** The verdict, with the names that its written paths would get below them if they are folders. */
export function withCopiedNames(verdict: GrammarVerdict): GrammarVerdict {
  if (!COPIERS.has(verdict.words[0] ?? '')) return verdict;
  const { effects } = verdict;
  const [copier] = verdict.words;
  const isRsync = copier === 'rsync';
  const names = effects.flatMap((effect) =>
    effect.action === 'write' || (isRsync && isContents(effect)) ? [] : namesOf(effect, isRsync || copier === 'scp'),
  );
  return { ...verdict, effects: effects.map((effect) => (effect.action === 'write' ? { ...effect, names } : effect)) };
}

/** `rsync x/ y` puts into y what lies in x, without the name x. */
function isContents({ path }: CommandEffect): boolean {
  return path?.value?.endsWith('/') === true;
}

/**
 * The last name of a source; nothing where only the shell knows it, or where it stands for what lies below (`x/.`).
 * @param hosted a source may be `host:name`
 */
function namesOf({ path }: CommandEffect, hosted: boolean): string[] {
  const value = path === null || path.glob ? null : path.value;
  const last = value?.replace(/\/+$/, '').split('/').at(-1) ?? '';
  const name = hosted ? last.slice(last.lastIndexOf(':') + 1) : last;
  return name === '' || name === '.' || name === '..' ? [] : [name];
}
