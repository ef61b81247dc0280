/** What a lint rule is: a value with its documentation and its check. Every file of rules/ exports one. */
import type { AgentFile, ConfigFile, FileProblem, LintFile, PolicyFile, TextFile } from '../files/files.js';
import { ruleOfProblem } from '../files/problem-codes.js';
import type { Finding, Fix, RelatedPlace, RuleInfo, Severity, Span } from '../text/finding.js';
import type { HookFile } from './handlers.js';
import { allRulesOf, type LintProject, problemsOf, type RuleInFile, rulesOf } from './project.js';
import { type RiskyValue, riskyValues } from './risky.js';
import { MOST_COMPARED } from './rule-coverage.js';

/** What a rule has to say about one place. */
export interface Report {
  readonly at: Span;
  readonly message: string;
  /** What to do; the rule's own `docs.fix` when absent. */
  readonly help?: string;
  readonly severity?: Severity;
  readonly confidence?: Finding['confidence'];
  readonly persona?: Finding['persona'];
  readonly related?: readonly RelatedPlace[];
  readonly fix?: Fix;
}

/** Whether a rule that is not `general` reports something that starts in one of these places. */
export type IsReported = (places: readonly Span[]) => boolean;

export interface LintRule extends RuleInfo {
  /** Asked after all others: it leaves to them what they report, switched off or not. */
  readonly general?: true;
  readonly check: (project: LintProject, isReported: IsReported) => readonly Report[];
}

/** A check that asks nothing of the other rules. */
export type Check = (project: LintProject) => readonly Report[];

/** What a check says about each of many files; nearly always nothing. */
function eachOf<T>(
  files: readonly T[],
  project: LintProject,
  check: (file: T, project: LintProject) => readonly Report[],
): readonly Report[] {
  const reports: Report[] = [];
  for (const file of files) for (const report of check(file, project)) reports.push(report);
  return reports;
}

/** A check of each agent definition by itself. */
export function forAgents(check: (agent: AgentFile, project: LintProject) => readonly Report[]): Check {
  return (project) => eachOf(project.agents, project, check);
}

/** A check of each policy file by itself; other programs' files are left out. */
export function forPolicies(check: (policy: PolicyFile, project: LintProject) => readonly Report[]): Check {
  return (project) => project.policies.filter(({ foreign }) => !foreign).flatMap((policy) => check(policy, project));
}

/** A check of each skill and command by itself. */
export function forSkills(check: (file: TextFile, project: LintProject) => readonly Report[]): Check {
  return (project) => project.texts.filter(({ text }) => text !== 'instructions').flatMap((file) => check(file, project));
}

/** A check of each file of settings, hooks or MCP servers by itself. */
export function forConfigs(check: (config: ConfigFile, project: LintProject) => readonly Report[]): Check {
  return (project) => project.configs.flatMap((config) => check(config, project));
}

/** A check of each file that can bring hooks by itself. */
export function forHookFiles(check: (file: HookFile, project: LintProject) => readonly Report[]): Check {
  return (project) => [...project.configs, ...project.agents, ...project.texts].flatMap((file) => check(file, project));
}

/** A check of each value that rules/risky-settings.yaml gives to a rule. */
export function forRisky(ruleId: string, check: (found: RiskyValue) => readonly Report[]): Check {
  return (project) => riskyValues(project, ruleId).flatMap(check);
}

/** A check of each permission rule by itself, wherever it stands. */
export function forRules(check: (rule: RuleInFile, project: LintProject) => readonly Report[]): Check {
  return (project) => rulesOf(project).flatMap((rule) => check(rule, project));
}

/** The same, also for the rules in the settings of runners. */
export function forAllRules(check: (rule: RuleInFile, project: LintProject) => readonly Report[]): Check {
  return (project) => allRulesOf(project).flatMap((rule) => check(rule, project));
}

/** A check of the permission rules of one file against each other; the first MOST_COMPARED of them. */
export function forRuleFiles(check: (rules: readonly RuleInFile[], project: LintProject) => readonly Report[]): Check {
  return (project) =>
    [...project.agents, ...project.policies].flatMap((file) =>
      check(
        file.rules.slice(0, MOST_COMPARED).map((text) => ({ ...text, file })),
        project,
      ),
    );
}

/** Passes on what the parsers found, by the code that belongs to this rule. */
export function fromProblems(
  ruleId: string,
  help: (problem: FileProblem, file: LintFile) => Partial<Report> = () => ({}),
): Check {
  return (project) =>
    problemsOf(project)
      .filter(({ problem, file }) => ruleOfProblem(problem.code, file.kind) === ruleId)
      .map(({ problem, file }) => ({
        at: problem.span,
        message: sentence(problem.message),
        severity: isSure(problem, file) ? problem.severity : 'warning',
        ...help(problem, file),
      }));
}

/** False for what depends on which runner reads a file, where that is only guessed. */
function isSure({ code }: FileProblem, file: LintFile): boolean {
  return file.kind !== 'agent' || !file.guessed || !code.startsWith('agent/');
}

/** Messages of the original documents have no full stop; beside others they need one. */
function sentence(message: string): string {
  return /[\w`]$/.test(message) ? `${message}.` : message;
}
