/** Where runners write what was said in a session, and how many tokens it took. */
import { type Fields, text } from './payload.js';

/** `claude`: of the session, with those of subagents beside it; `codex`: of the agent that calls. */
export type TranscriptForm = 'claude' | 'codex';

export interface Transcript {
  readonly path: string;
  readonly form: TranscriptForm;
}

/** `transcript_path`, with the format that this runner writes. */
export function transcriptIn(payload: Fields, form: TranscriptForm): Transcript | null {
  const path = text(payload, 'transcript_path');
  return path === null ? null : { path, form };
}
