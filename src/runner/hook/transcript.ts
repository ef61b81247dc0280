/** Where runners write what was said in a session, and how many tokens it took: as recorded from the clients that the e2e run uses. */
import { type Fields, text } from './payload.js';

/**
 * `claude`, `gemini`: of the session, with those of subagents in a folder of their own; `codex`: of the agent that calls;
 * `qwen`: of the session, its subagents among it.
 */
export type TranscriptForm = 'claude' | 'codex' | 'gemini' | 'qwen';

export interface Transcript {
  readonly path: string;
  readonly form: TranscriptForm;
  /** The folder in which each subagent has a transcript; null where there is none. */
  readonly children: string | null;
}

/** Each agent has a transcript of its own, which it names itself. */
export function isOfCaller(form: TranscriptForm): boolean {
  return form === 'codex';
}

/** `transcript_path`, with the format that this runner writes. */
export function transcriptIn(payload: Fields, form: TranscriptForm): Transcript | null {
  const path = text(payload, 'transcript_path');
  return path === null ? null : { path, form, children: childrenOf(path, form, text(payload, 'session_id')) };
}

function childrenOf(path: string, form: TranscriptForm, session: string | null): string | null {
  if (form === 'claude') return `${path.replace(/\.jsonl$/, '')}/subagents`;
  const isName = session !== null && /^[\w-]{1,200}$/.test(session);
  return form === 'gemini' && isName ? `${path.slice(0, path.lastIndexOf('/'))}/${session}` : null;
}
