/** Which agents fit a task: by the words that the task shares with their names and descriptions. Starts nothing. */

export interface Suggestable {
  readonly name: string;
  readonly description: string | null;
}

export interface Suggestion {
  readonly name: string;
  /** From 0 to 1: how much of the task is covered by the agent's own words; rare words have more weight. */
  readonly confidence: number;
  /** The shared words, as a sentence. */
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
    'a an and any are as at be before but by can do does for from have how i if in into is it its me my need new of on or our please ' +
    'should so some that the their them then there these this to up us use used uses using want was we what when which who will with ' +
    'would you your agent agents subagent task help proactively must'
  ).split(' '),
);

/** Returns the best matches first; omits agents that share hardly a word. */
export function suggestAgents(task: string, agents: readonly Suggestable[]): readonly Suggestion[] {
  const wanted = [...new Set(wordsOf(task))];
  if (wanted.length === 0) return [];
  const known = agents.map(({ name, description }) => ({
    name,
    own: new Set(wordsOf(name.replaceAll(/[-_]/g, ' '))),
    described: new Set(wordsOf(description ?? '')),
  }));
  // A word that every agent has is meaningless; one that only one agent has is the most significant.
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
      // Names are chosen with more care than descriptions are written.
      const fit = sum(shared) + sum(shared.filter((word) => own.has(word))) / 2;
      const reason = `Its name or description has: ${shared.join(', ')}.`;
      return { fit, suggestion: { name, confidence, reason, requires_confirmation: true } as const };
    })
    .filter(({ suggestion }) => suggestion.confidence >= LEAST)
    .sort((left, right) => right.fit - left.fit || (left.suggestion.name < right.suggestion.name ? -1 : 1))
    .slice(0, MOST)
    .map(({ suggestion }) => suggestion);
}

/** Returns words in lower case without endings, so that `reviews` matches `review`. */
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
