/**
 * Which agents fit a task: by what their names and descriptions say, in the same words or in others for the same kind of work
 * (rules/task-words.yaml). Starts nothing.
 */
import { data } from '../generated/data.js';

export interface Suggestable {
  readonly name: string;
  readonly description: string | null;
}

export interface Suggestion {
  readonly name: string;
  /** From 0 to 1: how much of the task is covered by what the agent says of itself; rare words have more weight. */
  readonly confidence: number;
  /** The words of the task that it covers, as a sentence. */
  readonly reason: string;
  /** Always true: a suggestion starts nothing, and only a person at a terminal may turn it into a start. */
  readonly requires_confirmation: true;
}

const MOST = 5;
const LEAST = 0.15;
/** Maximum number of characters of a task or a description that are read. */
const LONGEST = 10_000;

const EMPTY_WORDS = new Set(
  (
    'a an and any are as at be but by can did do does for from had has have how i if in into is it its me more my need of on or our out please ' +
    'should so some than that the their them then there these this to up us use used uses using want was we what when which who why will with ' +
    'would you your agent agents subagent task help proactively must'
  ).split(' '),
);
/** What an agent says that it does not do. */
const NEGATED = /\b(?:without|never|not|no|nothing)\b[^.,;:]*/gi;

/** How much a word of an agent counts: names are chosen with care, and a description begins with what it does or says when to use it. */
const STRENGTH = { name: 1.5, lead: 1.25, text: 1 } as const;
/** How much another word for the same kind of work counts, one that tells little, and one that only one sentence position gives its meaning. */
const SAME_KIND = 0.7;
const PLAIN = 0.4;
const ASIDE = 0.4;
/** The weight of a word that no agent has. */
const UNKNOWN = 0.5;

/** A word of a task: its stem, and the kinds of work that it may mean. */
interface Word {
  readonly said: string;
  readonly stem: string;
  readonly kinds: readonly string[];
  /** It says what is to be done only in another place of the sentence. */
  readonly isAside: boolean;
}

/** Returns the best matches first; omits agents that have hardly anything to do with the task. */
export function suggestAgents(task: string, agents: readonly Suggestable[]): readonly Suggestion[] {
  const wanted = [...new Map(wordsOf(task).map((word) => [word.stem, word])).values()];
  if (wanted.length === 0) return [];
  const known = agents.map((agent) => ({ name: agent.name, profile: profileOf(agent) }));
  const stems = new Set(wanted.map(({ stem }) => stem));
  const weights = wanted.map((word) => weightOf(word, known));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return known
    .map(({ name, profile }) => {
      const found = wanted.map((word) => matchOf(word, profile, stems));
      const shared = found.flatMap((match, at) => (match.covers === 0 ? [] : [match.says(wanted[at]?.said ?? '')]));
      const sum = (of: 'fit' | 'covers') => found.reduce((all, match, at) => all + match[of] * (weights[at] ?? 0), 0);
      const confidence = Math.round(Math.min(1, sum('covers') / total) * 100) / 100;
      const reason = `Its name or description has: ${shared.join(', ')}.`;
      return { fit: sum('fit'), suggestion: { name, confidence, reason, requires_confirmation: true } as const };
    })
    .filter(({ suggestion }) => suggestion.confidence >= LEAST)
    .sort((left, right) => right.fit - left.fit || (left.suggestion.name < right.suggestion.name ? -1 : 1))
    .slice(0, MOST)
    .map(({ suggestion }) => suggestion);
}

/** What an agent says of itself: the strength of each stem and of each kind of work, and a word that stands for that kind. */
interface Profile {
  readonly stems: ReadonlyMap<string, number>;
  readonly kinds: ReadonlyMap<string, { readonly strength: number; readonly word: string }>;
}

function profileOf({ name, description }: Suggestable): Profile {
  const stems = new Map<string, number>();
  const kinds = new Map<string, { strength: number; word: string }>();
  const add = (words: readonly Word[], strengthAt: (index: number) => number) =>
    words.forEach(({ said, stem, kinds: own }, index) => {
      const strength = strengthAt(index);
      stems.set(stem, Math.max(strength, stems.get(stem) ?? 0));
      for (const kind of own) if ((kinds.get(kind)?.strength ?? 0) < strength) kinds.set(kind, { strength, word: said });
    });
  add(wordsOf(name.replaceAll(/[-_]/g, ' ')), () => STRENGTH.name);
  for (const sentence of (description ?? '')
    .slice(0, LONGEST)
    .replace(NEGATED, '')
    .split(/[.!?\n]/)) {
    const isUse = /^\W*(?:use|invoke|call|ask)\b/i.test(sentence);
    add(wordsOf(sentence), (index) => (isUse || index === 0 ? STRENGTH.lead : STRENGTH.text));
  }
  return { stems, kinds };
}

interface Match {
  readonly fit: number;
  readonly covers: number;
  readonly says: (said: string) => string;
}

const NO_MATCH: Match = { fit: 0, covers: 0, says: (said) => said };

function matchOf({ stem, kinds, isAside }: Word, profile: Profile, wanted: ReadonlySet<string> = new Set()): Match {
  const share = isAside ? ASIDE : 1;
  const direct = profile.stems.get(stem);
  if (direct !== undefined) return { fit: direct * share, covers: 1, says: (said) => said };
  const [best] = kinds.flatMap((kind) => profile.kinds.get(kind) ?? []).sort((left, right) => right.strength - left.strength);
  if (best === undefined) return NO_MATCH;
  // A word that the task has itself is not counted as strongly again.
  const strength = wanted.has(stemOf(best.word)) ? STRENGTH.text : best.strength;
  return { fit: strength * SAME_KIND * share, covers: SAME_KIND * share, says: (said) => `${best.word} (${said})` };
}

/** A word that every agent has tells nothing; one that only one agent has tells the most. */
function weightOf(word: Word, known: readonly { readonly profile: Profile }[]): number {
  const having = known.filter(({ profile }) => matchOf(word, profile) !== NO_MATCH).length;
  const weight = having === 0 ? UNKNOWN : Math.log(1 + known.length / having);
  return words().plain.has(word.stem) ? weight * PLAIN : weight;
}

/** rules/task-words.yaml, by stems. Phrases are kept as they are written. */
interface TaskWords {
  readonly kinds: ReadonlyMap<string, readonly string[]>;
  readonly phrases: readonly (readonly [phrase: RegExp, kind: string])[];
  readonly actions: ReadonlySet<string>;
  readonly plain: ReadonlySet<string>;
}

let read: TaskWords | null = null;

function words(): TaskWords {
  read ??= readWords();
  return read;
}

function readWords(): TaskWords {
  const { kinds, actions, plain } = data('task-words') as {
    readonly kinds: Readonly<Record<string, readonly string[]>>;
    readonly actions: readonly string[];
    readonly plain: readonly string[];
  };
  const byStem = new Map<string, string[]>();
  const phrases: (readonly [RegExp, string])[] = [];
  for (const [kind, all] of Object.entries(kinds))
    for (const word of all)
      if (word.includes(' ')) phrases.push([new RegExp(`\\b${word}\\b`, 'i'), kind]);
      else byStem.set(stemOf(word), [...(byStem.get(stemOf(word)) ?? []), kind]);
  return { kinds: byStem, phrases, actions: new Set(actions), plain: new Set(plain.map(stemOf)) };
}

/** Returns the words that say something, in order; a phrase of the table is one word. */
function wordsOf(text: string): readonly Word[] {
  const { kinds, phrases, actions } = words();
  let rest = text.slice(0, LONGEST).toLowerCase();
  const found = new Map<string, Word>();
  for (const [phrase, kind] of phrases) {
    const said = phrase.exec(rest)?.[0];
    if (said === undefined) continue;
    const before = found.get(said);
    found.set(said, { said, stem: said, kinds: [...(before?.kinds ?? []), kind], isAside: false });
  }
  for (const said of found.keys()) rest = rest.replaceAll(said, ' ');
  const single = (rest.match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => word.length > 1 && !EMPTY_WORDS.has(word));
  const parted = single.map((said, index): Word => {
    const stem = stemOf(said);
    const own = kinds.get(stem) ?? [];
    return { said, stem, kinds: own, isAside: index > 0 && own.some((kind) => actions.has(kind)) };
  });
  return [...parted, ...found.values()];
}

/** Returns a word without its ending, so that `reviews` matches `review`, `migrate` matches `migration`, and `queries` matches `query`. */
function stemOf(word: string): string {
  const short = word.replace(/(?:ings?|ed|ers?|ors?|ations?|ions?|ates?|es|s|e)$/, '');
  const stem = (short.length >= 3 ? short : word).replace(/y$/, 'i');
  return stem.replace(/([bdgklmnprt])\1$/, '$1');
}
