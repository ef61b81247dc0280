/** Types for judging one command of a line: what is known before its verdict, and the verdict. */
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
  /**
   * git brought files of other commits into the folder, possibly including symlinks, but neither replaced the folder nor changed
   * git's own settings.
   */
  readonly committed?: true;
}

/** A file that a command of the line writes text to. */
export interface Filled {
  readonly path: string;
  readonly by: Command;
  /** The text comes, or may come, from a service or another machine. */
  readonly foreign: boolean;
}

/** Data shared by all commands of one line. */
export interface LineContext {
  /** The total allow rule under which the line is allowed unchecked; null if there is none. */
  readonly total: PermissionRule | null;
  /** The possible values of its variables, if it is allowed unchecked; otherwise null. */
  readonly possible: PossibleValues | null;
  /**
   * Paths that commands of the line may have replaced: those of the commands read so far, or of all commands if their order is uncertain.
   */
  readonly replaced: Replacement[];
  /** Plain files written by redirections: not symlinks, but a later command may read options from them. */
  readonly written: Replacement[];
  /** Files that the line writes text to, except for build results of the project. */
  readonly filled: Filled[];
  /** Commands that print data from other machines, in a position where another command may receive it. */
  readonly captured: Command[];
  /** For each command with globs or printed names: whether another command may create files with unknown names before it runs. */
  readonly naming: Map<Command, boolean>;
  readonly commands: readonly Command[];
  /** The rule sets that ask about or deny some command by its words. */
  readonly meeting: readonly RuleSet[];
}

/** One command with everything needed to judge it. */
export interface CommandContext {
  readonly command: Command;
  readonly scope: Scope;
  readonly line: LineContext;
  /** The directory it runs in; null if unknown. */
  readonly directory: string | null;
  readonly paths: readonly ResolvedPath[];
  /** Issues from the grammar, from conditions and their facts, and from replaced paths. */
  readonly issues: readonly GrammarIssue[];
  readonly inner: readonly CommandVerdict[];
}

export interface CommandVerdict extends Verdict {
  readonly command: Command;
  readonly inner: readonly CommandVerdict[];
  /** The verdict comes from a ruling, not from tier or default. */
  readonly settled: boolean;
  /** Every effect is a proven, unguarded read inside the project. */
  readonly provenReads: boolean;
  /** Issues that the `*` of a rule naming the command does not cover. */
  readonly issues: readonly GrammarIssue[];
}
