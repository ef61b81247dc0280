/** A call, read: its tool, its subjects, and for every command subject the commands in it. Computed once per decision. */
import type { ToolDescription } from '../../call/catalogue.js';
import { quoteWords } from '../../call/input-text.js';
import { type CallSubjects, subjectsOf } from '../../call/subject.js';
import type { Subject, ToolCall } from '../../call/tool-call.js';
import { tableOf } from '../../command/grammar/lookup.js';
import { baseName, flatten } from '../../command/model/called-commands.js';
import type { Command, CommandTree } from '../../command/model/command.js';
import { type PosixReading, posixReading } from '../../command/powershell/posix.js';
import { readCommands } from '../../command/tree.js';
import { readCommandLine } from '../../shell/read.js';
import { grepToolFilter, type NameFilter } from '../place/file-name-filters.js';
import { type ConstantCommands, mayHoldConstants, propagateConstants } from './constants.js';
import { triggersOf } from './entries.js';
import { propagatedCommands } from './propagated-commands.js';

/** A command subject with the commands found in it. */
export interface ReadLine {
  readonly subject: Subject;
  readonly tree: CommandTree;
  /** What its commands become with what the line itself puts into them; null where it can put nothing. */
  readonly constants: ConstantCommands | null;
  /** Commands of it with what the line itself gives them: what guards, ask and deny rules look at besides. */
  readonly given: readonly Command[];
  /** The line of PowerShell that it says in other words, and where its words stand there. */
  readonly written?: string;
  readonly parts?: PosixReading['parts'];
}

/** A line in a field whose name does not tell of commands. */
export interface InferredLine extends ReadLine {
  /** The tool most likely runs it; else only what nobody writes by accident counts. */
  readonly likely: boolean;
}

export interface CallAnalysis {
  readonly tool: ToolDescription;
  /** As it came in. */
  readonly input: ToolCall['input'];
  readonly subjects: CallSubjects;
  readonly lines: readonly ReadLine[];
  /** For each file that an editing tool deletes the line that would. */
  readonly deletions: readonly ReadLine[];
  /** What may deny and ask besides, and allows nothing; also what a POSIX shell would make of a line that PowerShell takes. */
  readonly inferredLines: readonly InferredLine[];
  /** Names by which a search tool chooses the files that it opens. */
  readonly filter: NameFilter | null;
}

/** Reads a call's subjects and command lines; pure, never throws. */
export function analyse(call: ToolCall): CallAnalysis {
  const subjects = subjectsOf(call);
  const lines: ReadLine[] = [];
  const inferredLines: InferredLine[] = [];
  for (const subject of subjects.subjects) {
    if (subject.kind !== 'command') continue;
    const plain = subjects.tool.canonical === 'PowerShell' ? posixReading(subject.value, tableOf) : null;
    if (plain === null) lines.push(readLine(subject, call));
    else {
      const written = readLine({ ...subject, value: subject.value.replace(/>[ \t]*\$null\b/gi, '> /dev/null') }, call);
      lines.push({ ...readLine({ ...subject, value: plain.text }, call), written: subject.value, parts: plain.parts });
      inferredLines.push({ ...written, likely: true });
    }
  }
  for (const subject of subjects.telling) {
    if (subject.kind !== 'command') continue;
    const line = readLine(subject, call);
    if (line.tree.commands.some(isProgram)) inferredLines.push({ ...line, likely: subject.likely });
  }
  const filter = subjects.tool.canonical === 'Grep' ? grepToolFilter(call.input, call.runner) : null;
  const deletions = subjects.deleted.map((path) => readLine(deletionOf(path), call));
  return { tool: subjects.tool, input: call.input, subjects, lines, deletions, inferredLines, filter };
}

function deletionOf(path: string): Subject {
  return { kind: 'command', field: 'patch', value: quoteWords(['rm', '--', path]) };
}

function readLine(subject: Subject, { shell }: ToolCall): ReadLine {
  const tree = readCommands(readCommandLine(subject.value, shell), shell);
  const constants = mayHoldConstants(subject.value) ? propagateConstants(subject.value, tree.commands) : null;
  return { subject, tree, constants, given: propagatedCommands(subject.value, tree.commands, constants, shell) };
}

/** Whether a command is one of which anything is known: other words are prose, or a list of anything. */
function isProgram(command: Command): boolean {
  return flatten([command]).some((one) => {
    const name = baseName(one) ?? '';
    return tableOf(name) !== null || triggersOf(name) !== null;
  });
}
