/** The transcripts that runners write of a session, with the tokens used: as recorded from the runners that the e2e run uses. */
import { type Fields, text } from '../../call/fields.js';

/**
 * What a transcript covers. `claude`, `gemini`: the session, with the transcripts of subagents in a separate folder; `codex`: the
 * calling agent; `qwen`: the session including its subagents.
 */
export type TranscriptForm = 'claude' | 'codex' | 'gemini' | 'qwen';

export interface Transcript {
  readonly path: string;
  readonly form: TranscriptForm;
  /** The folder in which each subagent has a transcript; null if there is none. */
  readonly children: string | null;
}

/** Each agent has a transcript of its own, which it names itself. */
export function isOfCaller(form: TranscriptForm): boolean {
  return form === 'codex';
}

/** Returns the file named in `transcript_path`, with the format that this runner writes. */
export function transcriptIn(payload: Fields, form: TranscriptForm): Transcript | null {
  const path = text(payload, 'transcript_path');
  return path === null ? null : { path, form, children: childrenOf(path, form, text(payload, 'session_id')) };
}

function childrenOf(path: string, form: TranscriptForm, session: string | null): string | null {
  if (form === 'claude') return `${path.replace(/\.jsonl$/, '')}/subagents`;
  const isName = session !== null && /^[\w-]{1,200}$/.test(session);
  return form === 'gemini' && isName ? `${path.slice(0, path.lastIndexOf('/'))}/${session}` : null;
}
