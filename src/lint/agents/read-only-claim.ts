/** Whether a definition states that its agent changes nothing. */
import type { AgentDefinition } from '../../agent/agent.js';

/** `read-only` about the agent, not about a replica or a transaction that it knows. */
const READ_ONLY =
  /\bread[- ]only\b(?![ -](?:replicas?|transactions?|quer(?:y|ies)|propert(?:y|ies)|fields?|views?|databases?|file ?systems?|volumes?|mounts?|models?|state|apis?|endpoints?|tokens?|credentials?|props?|root|data|attributes?|members?))/i;
/** `never edits files`; an agent that keeps the behavior unchanged does edit. */
const CHANGES_NOTHING =
  /\b(?:never|does not|doesn't|must not|will not|cannot|without) (?:chang|modif|edit|writ)(?:e|es|ing|s|y|ies|ying)?\b (?:any |the |your |to |source )*(?:code|files?|anything)\b/i;

/** It names what it writes. */
const WRITES = /\b(?:writes|creates|generates|produces)\b(?! (?:no|nothing|only to)\b)/i;

/** Reads only the description: bodies mention many things. */
export function claimsReadOnly({ description }: AgentDefinition): boolean {
  const text = description?.slice(0, 2000) ?? '';
  return (READ_ONLY.test(text) || CHANGES_NOTHING.test(text)) && !WRITES.test(text);
}
