/**
 * Whether the runner's hook has asked a person about a call that now arrives: nobody is asked twice. The hook and the gateway meet in the
 * decision log, by the tool, the digest of the whole input and the id of the call; a client that tells no id is asked by both.
 */
import type { PolicyPlaces } from '../enforce/snapshot/prepared-policy.js';
import { digestKey } from '../log/files/digest-key.js';
import { lastRecords } from '../log/read/query.js';
import { canonicalJson } from '../log/record/canonical-json.js';
import { hmacSha256 } from '../log/record/sha256.js';
import type { Judged } from './protocol/methods.js';

/** A person may take so long to answer, in milliseconds. */
const LONGEST_ANSWER = 10 * 60 * 1000;
const MOST_RECORDS = 50;
const MOST_BYTES = 512 * 1024;

/**
 * True if the hook asked about this very call, so that the call arrives only because the person agreed. Each question counts once.
 * @param used ids of the questions that have counted; one is added
 */
export function hookAsked(
  { stateDirectory, project, runner }: Pick<PolicyPlaces, 'stateDirectory' | 'project' | 'runner'>,
  canonical: string,
  input: Judged['input'],
  toolUseId: string | null,
  used: Set<string>,
): boolean {
  // Anybody can let the hook ask about a call; nobody knows the id of a call that is still to come.
  if (toolUseId === null) return false;
  const digest = `hmac-sha256:${hmacSha256(digestKey(stateDirectory), Buffer.from(canonicalJson(input)))}`;
  const filter = { kind: 'decision', decision: 'ask', tool: canonical, project, since: Date.now() - LONGEST_ANSWER } as const;
  for (const record of lastRecords(stateDirectory, filter, MOST_RECORDS, MOST_BYTES).records) {
    // A question that this program asks itself has no session.
    if (
      record.kind !== 'decision' ||
      record.session === null ||
      record.runner !== runner ||
      record.digest !== digest ||
      used.has(record.id)
    )
      continue;
    if (record.toolUseId !== toolUseId) continue;
    used.add(record.id);
    return true;
  }
  return false;
}
