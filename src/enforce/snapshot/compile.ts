/** Compiles a project's policy from its files, which takes a YAML parser and schema validation; a snapshot saves this work. */
import type { AgentData, PolicyData } from '../../decide/policy/policy-data.js';
import type { PolicyProblem } from '../../policy/policy.js';
import { projectOf } from '../../project/project.js';
import { digestOf } from '../../project/trust-record.js';
import { isUntrusted, openWorkspace } from '../../project/workspace.js';
import type { CompiledRuleData } from '../../rule/index/compiled-rule.js';
import type { CompiledPreparation, PolicyPlaces } from './prepared-policy.js';

/** Opens a project's workspace with its agents and compiles the policy; every mistake in a file is a problem with its place. */
export function preparePolicy(places: PolicyPlaces): CompiledPreparation {
  const found = projectOf(places.project);
  if (found !== places.project) return { ok: false, problems: [moved(places.project, found)] };
  const opened = openWorkspace({
    cwd: places.folder,
    project: places.project,
    home: places.home,
    platform: places.platform,
    runner: places.runner,
    environment: {},
    userDirectory: places.userDirectory,
    managedDirectory: places.managedDirectory,
    stateDirectory: places.stateDirectory,
    withAgents: true,
    ...(places.run !== null && { everyAgent: true }),
    ...(places.run?.preset && { preset: places.run.preset }),
  });
  if (!opened.ok) return { ok: false, problems: opened.problems };
  const { policy, data, surroundings, sources, notes } = opened.workspace;
  return {
    ok: true,
    sources,
    data: {
      policy: lean(data),
      settings: { mode: policy.mode, log: policy.log, hook: policy.hook, sequential: policy.sequential },
      ownDirectories: surroundings.ownDirectories,
      trustedFiles: surroundings.trustedFiles ?? {},
      digest: digestOf(JSON.stringify(statementOf(data))),
      untrusted: isUntrusted(notes),
    },
  };
}

/**
 * Returns the parts of the policy and the agents that decisions depend on. Reasons, places and file names are excluded: hashing
 * a long statement takes longer than making it.
 */
function statementOf({ policy, rules, preset, agents }: PolicyData): unknown {
  const { notes: _, sources: __, trustedRepos: ___, ...settings } = policy;
  return [settings, rules.map(statementOfRule), preset.map(statementOfRule), agents.map(statementOfAgent)];
}

function statementOfRule({ rule: { effect, text } }: Pick<CompiledRuleData, 'rule'>): string {
  return `${effect} ${text}`;
}

function statementOfAgent({ definition, parts }: AgentData): unknown {
  const { name, status, tools, excludedTools, permissions, readOnly, readsOnly, capabilities } = definition;
  const own = permissions && { ...permissions, rules: permissions.rules.map((rule) => statementOfRule({ rule })) };
  const listed = tools.state === 'listed' ? tools.tools : tools.state;
  return [name, status, listed, excludedTools, own, readOnly, readsOnly, capabilities, parts?.map(statementOfAgent)];
}

/** Removes data that only people and tests of the rules need, since the hook would otherwise read it at every call. */
function lean(data: PolicyData): PolicyData {
  const bare = (rules: readonly CompiledRuleData[]) =>
    rules.map((compiled) => {
      const { match, notMatch, ...rule } = compiled.rule;
      return match === undefined && notMatch === undefined ? compiled : { ...compiled, rule };
    });
  return { ...data, policy: { ...data.policy, notes: [] }, rules: bare(data.rules), preset: bare(data.preset) };
}

/** Reports that the hook is installed for a folder that is not, or no longer, a project. */
function moved(project: string, found: string): PolicyProblem {
  return {
    code: 'project/moved',
    message: `the hook is installed for this folder, but the project is ${found}; reinstall the hook`,
    source: { file: project, line: 1, column: 1 },
  };
}
