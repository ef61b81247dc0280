/** The analysis of a call: its tool, its subjects, and the commands in each command subject. Computed once per decision. */
import type { ToolDescription } from '../../call/catalogue.js';
import { quoteWords } from '../../call/quote.js';
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
  /** The commands with the values that the line assigns to their words filled in; null if it can assign none. */
  readonly constants: ConstantCommands | null;
  /** Commands with values from the line filled in, which guards and ask and deny rules check in addition. */
  readonly given: readonly Command[];
  /** The original PowerShell line, if this is its translation, and where the words are in it. */
  readonly written?: string;
  readonly parts?: PosixReading['parts'];
}

/** A line in a field whose name does not suggest commands. */
export interface InferredLine extends ReadLine {
  /** True if the tool probably runs it; otherwise only what nobody writes by accident matters. */
  readonly likely: boolean;
}

export interface CallAnalysis {
  readonly tool: ToolDescription;
  /** The input as received. */
  readonly input: ToolCall['input'];
  readonly subjects: CallSubjects;
  readonly lines: readonly ReadLine[];
  /** For each file that an editing tool deletes, an equivalent `rm` line. */
  readonly deletions: readonly ReadLine[];
  /** Lines that can ask or deny but never allow; includes a PowerShell line as a POSIX shell would read it. */
  readonly inferredLines: readonly InferredLine[];
  /** The name filter by which a search tool chooses the files to open. */
  readonly filter: NameFilter | null;
}

/** Reads a call's subjects and command lines. Pure; never throws. */
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

/** Whether a command is a known program; anything else is prose or an arbitrary list of words. */
function isProgram(command: Command): boolean {
  return flatten([command]).some((one) => {
    const name = baseName(one) ?? '';
    return tableOf(name) !== null || triggersOf(name) !== null;
  });
}
