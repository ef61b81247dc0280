/** What a lint rule is: a value with its documentation and its check. Every file of rules/ exports one. */
import type { AgentFile, FileProblem, LintFile, PolicyFile } from './files.js';
import type { Finding, Fix, RelatedPlace, RuleInfo, Severity, Span } from './finding.js';
import { ruleOfProblem } from './problem-codes.js';
import { type LintProject, problemsOf, type RuleInFile, rulesOf } from './project.js';
import { MOST_COMPARED } from './rule-coverage.js';

/** What a rule has to say about one place. */
export interface Report {
  readonly at: Span;
  readonly message: string;
  /** What to do; the rule's own `docs.fix` when absent. */
  readonly help?: string;
  readonly severity?: Severity;
  readonly confidence?: Finding['confidence'];
  readonly related?: readonly RelatedPlace[];
  readonly fix?: Fix;
}

export interface LintRule extends RuleInfo {
  readonly check: (project: LintProject) => readonly Report[];
}

/** A check of each agent definition by itself. */
export function forAgents(check: (agent: AgentFile, project: LintProject) => readonly Report[]): LintRule['check'] {
  return (project) => project.agents.flatMap((agent) => check(agent, project));
}

/** A check of each policy file by itself; other programs' files are left out. */
export function forPolicies(check: (policy: PolicyFile, project: LintProject) => readonly Report[]): LintRule['check'] {
  return (project) => project.policies.filter(({ foreign }) => !foreign).flatMap((policy) => check(policy, project));
}

/** A check of each permission rule by itself, wherever it stands. */
export function forRules(check: (rule: RuleInFile, project: LintProject) => readonly Report[]): LintRule['check'] {
  return (project) => rulesOf(project).flatMap((rule) => check(rule, project));
}

/** A check of the permission rules of one file against each other; the first MOST_COMPARED of them. */
export function forRuleFiles(
  check: (rules: readonly RuleInFile[], project: LintProject) => readonly Report[],
): LintRule['check'] {
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
): LintRule['check'] {
  return (project) =>
    problemsOf(project)
      .filter(({ problem, file }) => ruleOfProblem(problem.code, file.kind) === ruleId)
      .map(({ problem, file }) => ({
        at: problem.span,
        message: sentence(problem.message),
        severity: problem.severity,
        ...help(problem, file),
      }));
}

/** Messages of the original documents have no full stop; beside others they need one. */
function sentence(message: string): string {
  return /[\w`]$/.test(message) ? `${message}.` : message;
}
