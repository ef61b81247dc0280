/** Which agents fit a task: by the words that it shares with their names and descriptions. Nothing is started by it. */

export interface Suggestable {
  readonly name: string;
  readonly description: string | null;
}

export interface Suggestion {
  readonly name: string;
  /** From 0 to 1: how much of the task the agent's own words cover; rare words count more. */
  readonly confidence: number;
  /** The words that they share, as a sentence. */
  readonly reason: string;
  /** Always: a suggestion is no start, and only a person at a terminal may turn it into one. */
  readonly requires_confirmation: true;
}

const MOST = 5;
const LEAST = 0.15;
/** Characters of a task or a description that are read. */
const LONGEST = 10_000;

const EMPTY_WORDS = new Set(
  (
    'a an and any are as at be before but by can do does for from have how i if in into is it its me my need new of on or our please ' +
    'should so some that the their them then there these this to up us use used uses using want was we what when which who will with ' +
    'would you your agent agents subagent task help proactively must'
  ).split(' '),
);

/** The best fits first; those that share hardly a word are left out. */
export function suggestAgents(task: string, agents: readonly Suggestable[]): readonly Suggestion[] {
  const wanted = [...new Set(wordsOf(task))];
  if (wanted.length === 0) return [];
  const known = agents.map(({ name, description }) => ({
    name,
    own: new Set(wordsOf(name.replaceAll(/[-_]/g, ' '))),
    described: new Set(wordsOf(description ?? '')),
  }));
  // A word that every agent has tells nothing; one that only one agent has tells most.
  const weightOf = (word: string) => {
    const having = known.filter(({ own, described }) => own.has(word) || described.has(word)).length;
    return having === 0 ? 0.5 : Math.log(1 + known.length / having);
  };
  const weights = new Map(wanted.map((word) => [word, weightOf(word)]));
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  return known
    .map(({ name, own, described }) => {
      const sum = (words: readonly string[]) => words.reduce((all, word) => all + (weights.get(word) ?? 0), 0);
      const shared = wanted.filter((word) => own.has(word) || described.has(word));
      const confidence = Math.round((sum(shared) / total) * 100) / 100;
      // A name is chosen with more care than a description is written.
      const fit = sum(shared) + sum(shared.filter((word) => own.has(word))) / 2;
      const reason = `Its name or description has: ${shared.join(', ')}.`;
      return { fit, suggestion: { name, confidence, reason, requires_confirmation: true } as const };
    })
    .filter(({ suggestion }) => suggestion.confidence >= LEAST)
    .sort((left, right) => right.fit - left.fit || (left.suggestion.name < right.suggestion.name ? -1 : 1))
    .slice(0, MOST)
    .map(({ suggestion }) => suggestion);
}

/** Words in lower case without endings, so that `reviews` meets `review`. */
function wordsOf(text: string): readonly string[] {
  const words =
    text
      .slice(0, LONGEST)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => word.length > 1 && !EMPTY_WORDS.has(word)).map(stem);
}

function stem(word: string): string {
  const short = word.replace(/(?:ings?|ed|ers?|ions?|es|s)$/, '');
  return short.length >= 3 ? short : word;
}
