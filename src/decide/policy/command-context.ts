/** The words of judging one command of a line: what is known of it before the verdict, and the verdict. */
import type { Command, GrammarIssue } from '../../command/model/command.js';
import type { PermissionRule } from '../../rule/pattern/permission-rule.js';
import type { RuleSet } from '../../rule/rule-set.js';
import type { PossibleValues } from '../flow/possible-values.js';
import type { ResolvedPath } from '../place/paths.js';
import type { Verdict } from '../ruling/combine.js';
import type { Scope } from './scope.js';

/** A path that a command may have replaced. */
export interface Replacement {
  readonly path: string;
  readonly by: Command;
  /** git brought files of other commits into the folder: links too, but neither another folder in its place nor settings of git's own. */
  readonly committed?: true;
}

/** A file that a command of the line leaves a text in. */
export interface Filled {
  readonly path: string;
  readonly by: Command;
  /** The text is, or may be, what a service or another machine says. */
  readonly foreign: boolean;
}

/** What holds for all commands of one line. */
export interface LineContext {
  /** The line may run unseen: a total allow rule covers it. */
  readonly total: PermissionRule | null;
  /** What its text says of its variables, when it may run unseen; null when it may not. */
  readonly possible: PossibleValues | null;
  /** Paths that commands of the line may have replaced: those read so far, or all of them where their order is not certain. */
  readonly replaced: Replacement[];
  /** Plain files that redirections leave: no link to elsewhere, but what a later command may take its options from. */
  readonly written: Replacement[];
  /** Files that get a text by the line, but for what is built from the project. */
  readonly filled: Filled[];
  /** Commands that show what other machines say, in a place where another command may be given it. */
  readonly captured: Command[];
  /** For each command with globs or printed names: whether another one may make files of unknown names before it runs. */
  readonly naming: Map<Command, boolean>;
  readonly commands: readonly Command[];
  /** The bodies of rules that ask about or deny some command by its words. */
  readonly meeting: readonly RuleSet[];
}

/** One command with everything that its judges look at. */
export interface CommandContext {
  readonly command: Command;
  readonly scope: Scope;
  readonly line: LineContext;
  /** The directory it runs in; null when that cannot be told. */
  readonly directory: string | null;
  readonly paths: readonly ResolvedPath[];
  /** The grammar's issues, those that facts turn conditions into, and those of replaced paths. */
  readonly issues: readonly GrammarIssue[];
  readonly inner: readonly CommandVerdict[];
}

export interface CommandVerdict extends Verdict {
  readonly command: Command;
  readonly inner: readonly CommandVerdict[];
  /** The verdict comes from a ruling, not from what is left to tier and default. */
  readonly settled: boolean;
  /** Every effect is a proven, unguarded read inside the project. */
  readonly provenReads: boolean;
  /** What `*` of a rule that names it does not stand for. */
  readonly issues: readonly GrammarIssue[];
}
