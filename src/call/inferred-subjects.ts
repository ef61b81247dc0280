/** Texts of an input whose value shows that they are a path or a command line, whatever their field is called. */
import type { Subject } from './tool-call.js';

/** Longer texts are not taken for paths, or for lines that someone runs through a field with another name. */
const LONGEST_PATH = 1024;
const LONGEST_LINE = 4096;

/** Fields for text that people write and read: the first line of such a text may be a command that it merely mentions. */
const WRITTEN_TEXT =
  /^(?:q|name|names|label|labels|tag|tags|topic|reason|reasoning|context|instructions?|observations?|caption|replacement|pattern|regexp?|search|searchterm|old|new|markdown|html|(?:.*)(?:text|string|str|contents?|message|msg|description|desc|title|subject|summary|comments?|notes?|prompt|quer(?:y|ies)|question|answer|thought|body))$/;
/** Names of tools that run their input, whatever the field is called. */
const RUNNING = /^(?:run|exec|execute|shell|bash|terminal|console|eval|evaluate|command|cmd|spawn|process|script|ssh|invoke)$/;

/** A subject that no field name identifies. */
export interface InferredSubject extends Subject {
  /**
   * A command that the tool most likely runs: a command given as a list of words, or any line given to a tool whose name says
   * that it runs things.
   */
  readonly likely: boolean;
}

/** How the texts of one tool's input are examined. */
export interface InferenceContext {
  readonly runs: boolean;
  readonly writes: boolean;
}

/**
 * Derives the context from a tool's name.
 * @param words the parts of the tool's own name, in lower case
 */
export function inferenceContext(words: readonly string[], writes: boolean): InferenceContext {
  return { runs: words.some((word) => RUNNING.test(word)), writes };
}

/**
 * Classifies a text by its value: a `file:` URL, a path, or a line that a shell would run; empty for most texts. Subjects of this
 * kind may deny and ask, but never allow: that a text is a path, or that the tool runs it, is only likely.
 * @param key the name of the field, in lower case without `_`, `-` and blanks
 */
export function inferredSubjects(tool: InferenceContext, key: string, field: string, value: string): readonly InferredSubject[] {
  const access = tool.writes ? ('write' as const) : ('read' as const);
  const isWritten = isProseField(tool, key);
  if (isPath(value, isWritten)) return [{ kind: 'path', field, value, access, likely: true }];
  return !isWritten && isLine(value) ? [{ kind: 'command', field, value, likely: tool.runs }] : [];
}

/** Whether a field with that name is for texts that nobody runs; a tool that runs things may take them from any field. */
export function isProseField({ runs }: InferenceContext, key: string): boolean {
  return !runs && WRITTEN_TEXT.test(key);
}

/** `/etc/x`, `~/.ssh/id_rsa`, `../x`, and in fields that are not for prose `.env` and `src/a.ts`. */
function isPath(value: string, isWritten: boolean): boolean {
  if (value.length > LONGEST_PATH || /[\s"'`<>|;$*?{}()]/.test(value) || /^[\w+.-]+:/.test(value)) return false;
  if (/^(?:\/(?!\/)|~\/|\.\.?\/)/.test(value)) return true;
  return !isWritten && (/^\.[\w-]/.test(value) || /^[\w@.-]+\/[\w@./-]+$/.test(value));
}

/** More than one word, the first of which may be a program name, optionally after variable assignments. */
function isLine(value: string): boolean {
  return value.length <= LONGEST_LINE && /^\s*(?:\w+=\S*\s+)*[\w./+-]{1,256}\s+\S/.test(value);
}
