/** The commands that a skill or command runs when it is loaded, where its runner does that: `` !`command` `` and ```! blocks. */
import { type SkillAction, skillActions } from '../../agent/skill-text.js';
import { traitsOf } from '../../call/traits.js';
import type { TextFile } from '../files/files.js';
import type { Span } from '../text/finding.js';

export interface LoadedCommand {
  /** As written. */
  readonly command: string;
  /** It contains arguments of the call. */
  readonly hasArguments: boolean;
  readonly span: Span;
}

const LONGEST = 2_000;

/** The mark before a command in a line: `Hello!` or `//!` followed by code in backticks is not one (2.1.332: only after white space). */
const MARK = /(?<!\S)!`|```!/g;

export function loadedCommands(file: TextFile): readonly LoadedCommand[] {
  const { runner, source, bodyStart } = file;
  if (runner !== null && !traitsOf(runner).skillsRunCommands) return [];
  if (!source.text.includes('!`') && !source.text.includes('```!')) return [];
  const actions = skillActions({ text: source.text, args: '', above: '', folders: {} });
  const firstLine = source.placeOf(bodyStart).line;
  const used = new Set<number>();
  return actions.flatMap((action): LoadedCommand[] => {
    if (action.line === null || action.line < firstLine || !runs(action)) return [];
    const line = source.lines[action.line - 1] ?? '';
    const lineStart = source.offsetAt({ line: action.line, column: 1 });
    const command = action.kind === 'command' ? action.command : null;
    if (command !== null && !/^[\w./~$"'([{\\-]/.test(command)) return [];
    const mark = marksOf(line).find((one) => !used.has(lineStart + one.index) && fits(line, one, command));
    if (mark === undefined) return [];
    used.add(lineStart + mark.index);
    const inLine = mark[0] === '!`';
    const from = mark.index + mark[0].length;
    const close = line.indexOf('`', from);
    const end = inLine && close > 0 ? close + 1 : line.length;
    const last = source.text.indexOf(inLine ? '`' : '```', lineStart + from);
    const written = source.text.slice(lineStart + from, last < 0 ? undefined : last).trim();
    const span = source.span(lineStart + mark.index, lineStart + end);
    return [{ command: command ?? written, hasArguments: command === null, span }];
  });
}

/** The maximum number of marks in one line; further ones are ignored, as are further actions in one file. */
const MOST_MARKS = 50;

function marksOf(line: string): RegExpExecArray[] {
  const marks: RegExpExecArray[] = [];
  for (const mark of line.matchAll(MARK)) if (marks.push(mark) >= MOST_MARKS) break;
  return marks;
}

/** Whether a command follows a mark; null: a command that contains arguments. */
function fits(line: string, mark: RegExpExecArray, command: string | null): boolean {
  if (mark[0] !== '!`') return true;
  const start = mark.index + mark[0].length;
  if (command === null) return /^[^`]*\$/.test(line.slice(start, start + LONGEST));
  const first = command.slice(0, LONGEST).split('\n', 1)[0] ?? '';
  return line
    .slice(start, start + first.length + LONGEST)
    .trimStart()
    .startsWith(first);
}

/** Whether it is a command, or one that its arguments complete. */
function runs(action: SkillAction): boolean {
  return action.kind === 'command' || (action.kind === 'unknown' && /arguments in it/.test(action.why));
}
