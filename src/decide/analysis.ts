/** A call, read: its tool, its subjects, and for every command subject the commands in it. Computed once per decision. */
import type { ToolDescription } from '../call/catalogue.js';
import { type CallSubjects, subjectsOf } from '../call/subject.js';
import type { Subject, ToolCall } from '../call/tool-call.js';
import type { Command, CommandTree } from '../command/command.js';
import { readCommands } from '../command/tree.js';
import { readCommandLine } from '../shell/read.js';
import { givenCommands } from './given-commands.js';
import { type NameFilter, patternFilter } from './name-filter.js';

/** A command subject with the commands found in it. */
export interface ReadLine {
  readonly subject: Subject;
  readonly tree: CommandTree;
  /** Commands of it with what the line itself gives them: what guards, ask and deny rules look at besides. */
  readonly given: readonly Command[];
}

export interface CallAnalysis {
  readonly tool: ToolDescription;
  readonly subjects: CallSubjects;
  readonly lines: readonly ReadLine[];
  /** Names by which a search tool chooses the files that it opens. */
  readonly filter: NameFilter | null;
}

/** Reads a call's subjects and command lines; pure, never throws. */
export function analyse(call: ToolCall): CallAnalysis {
  const subjects = subjectsOf(call);
  const lines: ReadLine[] = [];
  for (const subject of subjects.subjects) {
    if (subject.kind !== 'command') continue;
    const tree = readCommands(readCommandLine(subject.value, call.shell), call.shell);
    lines.push({ subject, tree, given: givenCommands(subject.value, tree.commands, call.shell) });
  }
  const { glob } = call.input;
  const filter = subjects.tool.canonical === 'Grep' && typeof glob === 'string' ? patternFilter([glob]) : null;
  return { tool: subjects.tool, subjects, lines, filter };
}
