/** Texts of an input that are a path or a command line by what they say, whatever their field is called. */
import type { Subject } from './tool-call.js';

/** Longer texts are no paths, and no lines that somebody runs by way of a field of another name. */
const LONGEST_PATH = 1024;
const LONGEST_LINE = 4096;

/** Fields for what people write and read: the first line of such a text may well be a command that it tells about. */
const WRITTEN_TEXT =
  /^(?:q|name|names|label|labels|tag|tags|topic|reason|reasoning|context|instructions?|observations?|caption|replacement|pattern|regexp?|search|searchterm|old|new|markdown|html|(?:.*)(?:text|string|str|contents?|message|msg|description|desc|title|subject|summary|comments?|notes?|prompt|quer(?:y|ies)|question|answer|thought|body))$/;
/** Names of tools that run what they are given, whatever the field is called. */
const RUNNING = /^(?:run|exec|execute|shell|bash|terminal|console|eval|evaluate|command|cmd|spawn|process|script|ssh|invoke)$/;

/** A subject that no field's name tells of. */
export interface InferredSubject extends Subject {
  /** A command that the tool most likely runs: the words of one in a list, or any line that a tool is given whose name says that it runs. */
  readonly likely: boolean;
}

/** How the texts of one tool's input are looked at. */
export interface InferenceContext {
  readonly runs: boolean;
  readonly writes: boolean;
}

/** @param words the parts of the tool's own name, in lower case */
export function inferenceContext(words: readonly string[], writes: boolean): InferenceContext {
  return { runs: words.some((word) => RUNNING.test(word)), writes };
}

/**
 * What a text is by its value: a `file:` URL, a path, or the line that a shell would run; nothing for most texts. Subjects of this
 * kind may deny and ask, and never allow: that a text is a path, or that the tool runs it, is only likely.
 * @param key the name of the field, in lower case without `_`, `-` and blanks
 */
export function inferredSubjects(tool: InferenceContext, key: string, field: string, value: string): readonly InferredSubject[] {
  const access = tool.writes ? ('write' as const) : ('read' as const);
  const isWritten = isProseField(tool, key);
  if (isPath(value, isWritten)) return [{ kind: 'path', field, value, access, likely: true }];
  return !isWritten && isLine(value) ? [{ kind: 'command', field, value, likely: tool.runs }] : [];
}

/** Whether a field of that name is for texts that nobody runs; a tool that runs things may take them from any field. */
export function isProseField({ runs }: InferenceContext, key: string): boolean {
  return !runs && WRITTEN_TEXT.test(key);
}

/** `/etc/x`, `~/.ssh/id_rsa`, `../x`, and in fields that are not for prose `.env` and `src/a.ts`. */
function isPath(value: string, isWritten: boolean): boolean {
  if (value.length > LONGEST_PATH || /[\s"'`<>|;$*?{}()]/.test(value) || /^[\w+.-]+:/.test(value)) return false;
  if (/^(?:\/(?!\/)|~\/|\.\.?\/)/.test(value)) return true;
  return !isWritten && (/^\.[\w-]/.test(value) || /^[\w@.-]+\/[\w@./-]+$/.test(value));
}

/** More than one word, the first of which may be a program's name, with or without variables set before it. */
function isLine(value: string): boolean {
  return value.length <= LONGEST_LINE && /^\s*(?:\w+=\S*\s+)*[\w./+-]{1,256}\s+\S/.test(value);
}
