/** A lint rule: a value with its documentation and its check. Every file of rules/ exports one. */
import { type AgentFormat, formatTraits, runnerOfFormat } from '../../agent/format.js';
import { traitsOf } from '../../call/traits.js';
import type { AgentFile, ConfigFile, FileProblem, LintFile, PolicyFile, TextFile } from '../files/files.js';
import { ruleOfProblem } from '../files/problem-codes.js';
import { isAgentOfPlugin } from '../places/plugin-files.js';
import type { Finding, Fix, RelatedPlace, RuleInfo, Severity, Span } from '../text/finding.js';
import { type HookFile, hookFilesOf } from './handlers.js';
import {
  agentsIn,
  allRulesOf,
  type LintProject,
  pluginsOf,
  problemsOf,
  type RuleInFile,
  ruleFilesOf,
  rulesOf,
} from './project.js';
import { type RiskyValue, riskyValues } from './risky.js';
import { MOST_COMPARED } from './rule-coverage.js';

/** A rule's report about one place. */
export interface Report {
  readonly at: Span;
  readonly message: string;
  /** The remedy; the rule's own `docs.fix` if absent. */
  readonly help?: string;
  readonly severity?: Severity;
  readonly confidence?: Finding['confidence'];
  readonly persona?: Finding['persona'];
  readonly related?: readonly RelatedPlace[];
  readonly fix?: Fix;
}

/** Whether a rule that is not `general` reports something that starts in one of these places. */
export type IsReported = (places: readonly Span[]) => boolean;

/** Its findings are sure, and for the author of the file, where it does not say otherwise. */
export interface LintRule extends Omit<RuleInfo, 'confidence' | 'persona'>, Partial<Pick<RuleInfo, 'confidence' | 'persona'>> {
  /** Runs after all other rules: it leaves to them everything that they report, even if they are off. */
  readonly general?: true;
  /** Equal findings in one file, or about the files of one folder, have one cause: they are shown as one. */
  readonly byFolder?: true;
  readonly check: (project: LintProject, isReported: IsReported) => readonly Report[];
}

export type CompleteRule = LintRule & RuleInfo;

export function completed(rule: LintRule): CompleteRule {
  return { confidence: 'high', persona: 'author', ...rule };
}

/** A check that does not depend on other rules. */
export type Check = (project: LintProject) => readonly Report[];

/** Collects the reports of a check for each of many files; nearly always none. */
function eachOf<T>(
  files: readonly T[],
  project: LintProject,
  check: (file: T, project: LintProject) => readonly Report[],
): readonly Report[] {
  const reports: Report[] = [];
  for (const file of files) {
    const found = check(file, project);
    if (found.length > 0) reports.push(...found);
  }
  return reports;
}

/** Makes a check of each agent definition by itself: of those in one format, if it is given. */
export function forAgents(check: (agent: AgentFile, project: LintProject) => readonly Report[], format?: AgentFormat): Check {
  return (project) => eachOf(format === undefined ? project.agents : agentsIn(project, format), project, check);
}

/** Makes a check of each policy file by itself; files of other programs are omitted. */
export function forPolicies(check: (policy: PolicyFile, project: LintProject) => readonly Report[]): Check {
  return (project) => project.policies.filter(({ foreign }) => !foreign).flatMap((policy) => check(policy, project));
}

/** Makes a check of each skill and command by itself. */
export function forSkills(check: (file: TextFile, project: LintProject) => readonly Report[]): Check {
  return (project) => project.texts.filter(({ text }) => text !== 'instructions').flatMap((file) => check(file, project));
}

/** Makes a check of each file of settings, hooks or MCP servers by itself. */
export function forConfigs(check: (config: ConfigFile, project: LintProject) => readonly Report[]): Check {
  return (project) => project.configs.flatMap((config) => check(config, project));
}

/** Makes a check of each file with hooks, by itself. */
export function forHookFiles(check: (file: HookFile, project: LintProject) => readonly Report[]): Check {
  return (project) => hookFilesOf(project).flatMap((file) => check(file, project));
}

/** Makes a check of each value that rules/risky-settings.yaml assigns to a rule. */
export function forRisky(ruleId: string, check: (found: RiskyValue) => readonly Report[]): Check {
  return (project) => riskyValues(project, ruleId).flatMap(check);
}

/** Makes a check of each permission rule by itself, wherever it is. */
export function forRules(check: (rule: RuleInFile, project: LintProject) => readonly Report[]): Check {
  return (project) => rulesOf(project).flatMap((rule) => check(rule, project));
}

/** The same, also for the rules in the settings of runners. */
export function forAllRules(check: (rule: RuleInFile, project: LintProject) => readonly Report[]): Check {
  return (project) => allRulesOf(project).flatMap((rule) => check(rule, project));
}

/** Makes a check that compares the permission rules of one file, at most the first MOST_COMPARED. */
export function forRuleFiles(check: (rules: readonly RuleInFile[], project: LintProject) => readonly Report[]): Check {
  return (project) =>
    ruleFilesOf(project).flatMap((file) =>
      check(
        file.rules.slice(0, MOST_COMPARED).map((text) => ({ ...text, file })),
        project,
      ),
    );
}

/** Reports the problems found by the parsers whose code belongs to this rule. */
export function fromProblems(
  ruleId: string,
  help: (problem: FileProblem, file: LintFile) => Partial<Report> = () => ({}),
): Check {
  return (project) =>
    problemsOf(project)
      .filter(({ problem, file }) => ruleOfProblem(problem.code, file.kind) === ruleId)
      .map(({ problem, file }) => {
        const ofPlugin = ofPluginOf(problem, file, project);
        const isLost = ofPlugin === null || !LESS_IN_PLUGIN.has(problem.code);
        return {
          at: problem.span,
          message: `${withFullStop(problem.message)}${ofPlugin ?? effectOf(problem, file)}`,
          severity: isSure(problem, file) && isLost ? problem.severity : 'warning',
          ...help(problem, file),
        };
      });
}

/** False for a problem that depends on which runner reads the file, if that is only guessed. */
function isSure({ code }: FileProblem, file: LintFile): boolean {
  return file.kind !== 'agent' || !file.guessed || !code.startsWith('agent/');
}

/** Mistakes for which a runner leaves out an agent. */
const UNLOADED = new Set(['file/syntax', 'agent/name-missing', 'agent/description-missing']);

/** Mistakes that cost an agent of a plugin less than one of a project. */
const LESS_IN_PLUGIN = new Set(['agent/name-missing', 'agent/description-missing']);

/** What a mistake does to an agent of a plugin; null for others, and where that is not known. */
function ofPluginOf({ code }: FileProblem, file: LintFile, project: LintProject): string | null {
  const effect = file.kind === 'agent' ? formatTraits(file.format).faultyInPlugin?.[code] : undefined;
  return effect !== undefined && isAgentOfPlugin(file.path, pluginsOf(project)) ? ` ${effect}` : null;
}

function effectOf({ code }: FileProblem, file: LintFile): string {
  if (!UNLOADED.has(code) || file.kind !== 'agent' || file.guessed) return '';
  const isLost = formatTraits(file.format).leavesOutFaulty === true;
  return isLost ? ` ${traitsOf(runnerOfFormat(file.format)).title} does not load this agent.` : '';
}

/** Messages of the original documents have no period; beside other messages they need one. */
function withFullStop(message: string): string {
  return /[\w`]$/.test(message) ? `${message}.` : message;
}
