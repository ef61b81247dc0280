/** Kinds of words that only gh uses: repositories, hosts, pull requests and jq programs. */

import { addEffect, type Evaluation, type PlacedValue, raisePlaced } from '../grammar/evaluation.js';
import { filterComputesOnly } from '../languages/jq-filter.js';

const HOST = 'github.com';
const OWNER_AND_REPOSITORY = /^[A-Za-z0-9_.-]+\/[A-Za-z0-9_.-]+$/;

/**
 * jq words that read the environment or other input, matched as whole words; the field `.env` is refused too, since jq versions
 * differ in how they read `..env`.
 */
const JQ_READERS =
  /(?:^|[^A-Za-z0-9_])(?:env|ENV|inputs?|input_filename|input_line_number|include|import|modulemeta)(?![A-Za-z0-9_])/;

/** Judges a value of a `gh-` kind; its word is certain. */
export function judgeGhValue(judgement: Evaluation, place: PlacedValue, value: string): void {
  const problem = problemOf(place.rule.kind, value);
  if (problem !== null) {
    const words = judgement.table.words.join('/');
    const rating = place.rule.kind === 'gh-host' || problem.code === 'jq' ? 'care' : 'refuse';
    raisePlaced(judgement, place, rating, `${words}/${problem.code}`, problem.reason);
  }
  for (const action of place.rule.effects) addEffect(judgement, action, null, false, place.index);
}

function problemOf(kind: string, value: string): { readonly code: string; readonly reason: string } | null {
  const otherHost = { code: 'other-host', reason: `A host other than ${HOST} would be sent a token.` };
  if (kind === 'gh-repository') return isOwnRepository(value) ? null : otherHost;
  if (kind === 'gh-host') return value === HOST ? null : otherHost;
  if (kind === 'gh-selector') return isOwnSelector(value) ? null : otherHost;
  if (JQ_READERS.test(value))
    return { code: 'jq-environment', reason: 'This jq program could print the environment, tokens included.' };
  return filterComputesOnly(value) ? null : { code: 'jq', reason: 'A word of this jq program is not known to compute only.' };
}

/** `OWNER/REPO`, `github.com/OWNER/REPO` or its https address. */
function isOwnRepository(value: string): boolean {
  for (const start of [`https://${HOST}/`, `${HOST}/`])
    if (value.startsWith(start)) return OWNER_AND_REPOSITORY.test(value.slice(start.length));
  return OWNER_AND_REPOSITORY.test(value);
}

/** A number, a branch, or a URL on the same host. */
function isOwnSelector(value: string): boolean {
  return !/:\/\/|^\/\//.test(value) || value.startsWith(`https://${HOST}/`);
}
