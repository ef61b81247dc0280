/** Whether a definition says of itself that it changes nothing. */
import type { AgentDefinition } from '../agent/agent.js';

const CLAIM =
  /\bread[- ]only\b|\bwithout (?:changing|modifying|editing)\b|\b(?:never|does not|doesn't|must not|will not) (?:change|modify|edit|write)/i;

/** Reads the description only: bodies talk about many things. */
export function claimsReadOnly({ description }: AgentDefinition): boolean {
  return CLAIM.test(description?.slice(0, 2000) ?? '');
}
