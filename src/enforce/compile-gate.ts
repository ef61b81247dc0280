/** Compiles a gate from the files of a project: the slow road, with YAML and schemas, that a snapshot spares. */
import type { PolicyData } from '../decide/policy-data.js';
import { sha256 } from '../log/sha256.js';
import type { PolicyProblem } from '../policy/policy.js';
import type { CompiledRuleData } from '../rule/compiled-rule.js';
import type { CompiledGate, GatePlaces } from './gate.js';
import { projectOf } from './project.js';
import { isUntrusted, openWorkspace } from './workspace.js';

/** Opens the project's workspace with its agents and compiles it; every mistake in a file is a problem with its place. */
export function compileGate(places: GatePlaces): CompiledGate {
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
  });
  if (!opened.ok) return { ok: false, problems: opened.problems };
  const { policy, data, surroundings, sources, notes } = opened.workspace;
  const digest = `sha256:${Buffer.from(sha256(Buffer.from(JSON.stringify(data)))).toString('hex')}`;
  return {
    ok: true,
    sources,
    data: {
      policy: lean(data),
      settings: { mode: policy.mode, log: policy.log, hook: policy.hook, sequential: policy.sequential },
      ownDirectories: surroundings.ownDirectories,
      digest,
      untrusted: isUntrusted(notes),
    },
  };
}

/** Without what only a person reads, or a test of the rules: the hook would read it at every call. */
function lean(data: PolicyData): PolicyData {
  const bare = (rules: readonly CompiledRuleData[]) =>
    rules.map((compiled) => {
      const { match, notMatch, ...rule } = compiled.rule;
      return match === undefined && notMatch === undefined ? compiled : { ...compiled, rule };
    });
  return { ...data, policy: { ...data.policy, notes: [] }, rules: bare(data.rules), preset: bare(data.preset) };
}

/** The hook was installed for a folder that is no project any more, or never was one. */
function moved(project: string, found: string): PolicyProblem {
  return {
    code: 'project/moved',
    message: `the hook is installed for this folder, but the project is ${found}; install the hook again`,
    source: { file: project, line: 1, column: 1 },
  };
}
