/** A workspace: the policy of a project as stored on disk, with its agents, ready to decide calls. */
import { dirname, resolve } from 'node:path';
import type { AgentDefinition } from '../agent/agent.js';
import { permissionsFromToml } from '../agent/permissions.js';
import type { RunnerId } from '../call/tool-call.js';
import { compileToData } from '../decide/policy/compile.js';
import { type CompiledPolicy, type PolicyData, readyPolicy } from '../decide/policy/policy-data.js';
import type { BudgetFacts } from '../decide/ruling/facts.js';
import { type FoundAgents, readAgents } from '../definitions/files.js';
import { knownAgents } from '../definitions/known-agents.js';
import { isDirectory } from '../disk/git/directory.js';
import { isInside } from '../disk/inside.js';
import { readText } from '../disk/read.js';
import { realPath } from '../disk/real-path.js';
import { defaultUserDirectory } from '../disk/user-directory.js';
import { defaultStateDirectory } from '../log/files/directory.js';
import { composePolicy } from '../policy/compose.js';
import { verifyRuleExamples } from '../policy/examples.js';
import type { PolicyLayer } from '../policy/layers.js';
import type { ComposedPolicy, Policy, PolicyNote, PolicyProblem, PresetName } from '../policy/policy.js';
import { toolNameMistakes } from '../policy/tool-names.js';
import { programDirectories } from '../program/program-directories.js';
import { toolsCovered } from '../rule/pattern/tool-coverage.js';
import { patternMistakes } from '../rule/rule-set.js';
import { linkedPlaces } from './linked-places.js';
import { movedSettings } from './moved-settings.js';
import { unreadable } from './packages.js';
import { projectOf } from './project.js';
import { ruleMatches } from './rule-examples.js';
import type { Surroundings } from './surroundings.js';
import { readTrustedLayers } from './trust.js';
import type { RecordedFile } from './trust-record.js';

export interface WorkspaceOptions {
  /** Directory in which calls are made unless they name another. */
  readonly cwd: string;
  /** Real path of the project, if it is fixed and not that of `cwd`. */
  readonly project?: string;
  readonly home: string;
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** `--policy F`. */
  readonly policyFile?: string;
  /** `--preset P`. */
  readonly preset?: PresetName;
  readonly trustProject?: boolean;
  /** `--permissions-overlay F` and how it is combined with the policy. */
  readonly overlay?: { readonly file: string; readonly mode: 'compose' | 'replace' };
  /** Look for agent definitions, which requires reading their files. */
  readonly withAgents?: boolean;
  /** The runner whose calls are judged: only its formats of agent definitions are used, and its built-in agents are known. */
  readonly runner?: RunnerId;
  /** Use the formats of all other runners as well. */
  readonly everyAgent?: boolean;
  readonly managedDirectory?: string;
  /** Where the user's own policy and the state are, if not where the environment says. */
  readonly userDirectory?: string;
  readonly stateDirectory?: string;
  readonly budget?: BudgetFacts;
}

export interface Workspace {
  readonly compiled: CompiledPolicy;
  /** The data that `compiled` was made from. */
  readonly data: PolicyData;
  readonly policy: ComposedPolicy;
  /** Whether the project is trusted: see knownAgents. */
  readonly trusted: boolean;
  readonly agents: readonly AgentDefinition[];
  /** All definitions found, before duplicates of a name were resolved. */
  readonly definitions: readonly AgentDefinition[];
  readonly surroundings: Surroundings;
  readonly cwd: string;
  readonly notes: readonly PolicyNote[];
  readonly sources: readonly string[];
  /** Returns the policy of the project combined with that of a package below it. */
  readonly packagePolicy?: (folder: string) => CompiledPolicy;
}

/**
 * `sources`: the absolute path of everything on disk that the result depends on, including absent files. As long as no source
 * changes (device, inode, size, change time of the target, or its absence), opening again gives the same result.
 */
export type OpenedWorkspace =
  | { readonly ok: true; readonly workspace: Workspace; readonly sources: readonly string[] }
  | { readonly ok: false; readonly problems: readonly PolicyProblem[]; readonly sources: readonly string[] };

/** True if the project has a policy of its own that is untrusted, or has changed since: it can only add restrictions. */
export function isUntrusted(notes: readonly PolicyNote[]): boolean {
  return notes.some(({ code }) => code === 'trust/untrusted' || code === 'trust/changed');
}

const LOCKED_OVERLAY = '--permissions-overlay ignored: security.disable_bypass_permissions is set';

/**
 * Opens the workspace of a directory. Every mistake in a file is a problem with its place; nothing is silently omitted. If only
 * the policy of a folder below the project cannot be used, the project's policy applies, and every call from that folder is asked
 * about, except a change of directory: otherwise no call could leave that folder again.
 */
export function openWorkspace(options: WorkspaceOptions): OpenedWorkspace {
  const opened = openFolder(options);
  if (!opened.ok) return opened;
  const { compiled, surroundings } = opened.workspace;
  const known = new Map<string, CompiledPolicy>();
  const packagePolicy = (folder: string) => {
    const below =
      known.get(folder) ?? packageOf(openFolder({ ...options, cwd: folder, project: surroundings.project }), compiled, folder);
    known.set(folder, below);
    return below;
  };
  return { ...opened, workspace: { ...opened.workspace, packagePolicy } };
}

/** If not even the project's own policy can be used by now, it is unknown what is forbidden there. */
function packageOf(opened: OpenedWorkspace, compiled: CompiledPolicy, folder: string): CompiledPolicy {
  return opened.ok ? opened.workspace.compiled : unreadable(compiled, folder);
}

function openFolder(options: WorkspaceOptions): OpenedWorkspace {
  const cwd = realPath(options.cwd);
  if (cwd === null || !isDirectory(cwd)) return noDirectory(options.cwd);
  const project = options.project ?? projectOf(cwd);
  const opened = openLayers(options, { cwd, project, nested: cwd });
  const [problem] = opened.ok ? [] : opened.problems;
  if (problem === undefined || cwd === project || !isInside(cwd, project)) return opened;
  const { file, line } = problem.source;
  const unread = `${file}:${line} cannot be used: ${problem.message.replace(/\.$/, '')}; it might forbid this`;
  const above = openLayers(options, { cwd, project, nested: null, unread });
  return above.ok ? { ...above, sources: [...new Set([...above.sources, ...opened.sources])] } : opened;
}

interface OpeningPlace {
  readonly cwd: string;
  readonly project: string;
  /** The directory whose policies apply in addition to the project's; null: none. */
  readonly nested: string | null;
  /** See Policy. */
  readonly unread?: string;
}

function openLayers(options: WorkspaceOptions, { cwd, project, nested, unread }: OpeningPlace): OpenedWorkspace {
  const places = placesOf(options);
  const read = readTrustedLayers({
    project,
    cwd: nested,
    userDirectory: places.user,
    managedDirectory: places.managed,
    stateDirectory: places.state,
    extra: options.policyFile ?? null,
    preset: options.preset ?? null,
    trustProject: options.trustProject ?? false,
  });
  const sources = [...read.sources, ...(options.overlay === undefined ? [] : [options.overlay.file])];
  if (read.problems.length > 0) return { ok: false, problems: read.problems, sources };
  const composed = composePolicy(read.layers, { repository: project, trustRepository: read.mayUseAll });
  const tools = toolNameMistakes(
    composed.policy.rules,
    composed.policy.customTools.map(({ name }) => name),
  );
  const refused = [...composed.problems, ...tools.problems];
  if (refused.length > 0) return { ok: false, problems: refused, sources };
  const overlay = readOverlay(options.overlay, composed.policy);
  if (!overlay.ok) return { ok: false, problems: overlay.problems, sources };
  const mistakes = ruleProblems(overlay.policy);
  if (mistakes.length > 0) return { ok: false, problems: mistakes, sources };
  const found =
    options.withAgents === true
      ? readAgents(project, options.home, options.everyAgent === true ? null : (options.runner ?? null))
      : NO_AGENTS;
  const agents = knownAgents(
    found.definitions,
    options.runner ?? null,
    read.trust.by !== null,
    overlay.policy.agents.missingTools,
    options.everyAgent,
  );
  sources.push(...found.sources);
  const own = [places.user, places.managed, places.state, ...programDirectories(process.argv[1]), ...nodeOf(project)];
  const policy = unread === undefined ? overlay.policy : { ...overlay.policy, unread };
  const data = compileToData(policy, agents, overlay.ceiling);
  return {
    ok: true,
    sources,
    workspace: {
      compiled: readyPolicy(data),
      data,
      policy: overlay.policy,
      trusted: read.trust.by !== null,
      agents,
      definitions: found.definitions,
      surroundings: {
        project,
        home: options.home,
        platform: options.platform,
        environment: options.environment,
        ownDirectories: [
          ...own,
          ...basesOf(read.layers, project),
          ...movedSettings(options.runner ?? null, options.environment, project),
          ...linkedPlaces({ home: options.home, project }, [...own, ...policyFiles(overlay.policy)]),
        ],
        ...(read.trust.by === 'record' && { trustedFiles: blobsOf(read.trust.record?.texts ?? []) }),
        budget: options.budget ?? null,
      },
      cwd,
      notes: [...read.notes, ...unreadNotes(unread), ...composed.policy.notes, ...tools.notes, ...overlay.notes, ...found.notes],
      sources,
    },
  };
}

/** Returns git's object names for the texts of files. */
function blobsOf(files: readonly RecordedFile[]): Readonly<Record<string, string>> {
  const { createHash } = process.getBuiltinModule('node:crypto');
  const blob = (text: string) =>
    createHash('sha1')
      .update(`blob ${Buffer.byteLength(text)}\0${text}`)
      .digest('hex');
  return Object.fromEntries(files.map(({ file, text }) => [file, blob(text)]));
}

function unreadNotes(unread: string | undefined): readonly PolicyNote[] {
  return unread === undefined
    ? []
    : [{ code: 'file/unread', message: `${unread}: every call that is made there is asked about but a change of directory` }];
}

/** Returns the Node.js program that runs the hook; one inside the project cannot be that of an installed line. */
function nodeOf(project: string): readonly string[] {
  return isInside(process.execPath, project) ? [] : [process.execPath];
}

/** Returns the files of the user's and the managed policy. */
function policyFiles({ sources }: ComposedPolicy): readonly string[] {
  return sources.flatMap(({ layer, file }) => (layer === 'user' || layer === 'managed' ? [file] : []));
}

/** Returns the files named by `extends`: their rules apply like those of the file that names them. */
function basesOf(layers: readonly PolicyLayer[], project: string): readonly string[] {
  return layers.flatMap(({ document: { file, extends: base } }) =>
    base === null ? [] : [resolve(project, dirname(file), base.path)],
  );
}

const NO_AGENTS: FoundAgents = { definitions: [], sources: [], notes: [], missing: [] };

/** Returns the folders of the user's and the managed policy and of our state. */
function placesOf({ userDirectory, managedDirectory, stateDirectory, environment, home }: WorkspaceOptions) {
  return {
    user: userDirectory ?? defaultUserDirectory(environment, home),
    managed: managedDirectory ?? '/etc/policy',
    state: stateDirectory ?? defaultStateDirectory(environment, home),
  };
}

/** Returns problems of patterns that do not compile, and of examples that fail. */
function ruleProblems(policy: Policy): PolicyProblem[] {
  const mistakes = policy.rules.flatMap((rule) =>
    patternMistakes(rule, toolsCovered).map(({ code, message }) => ({ code, message, source: rule.source })),
  );
  return mistakes.length > 0 ? mistakes : verifyRuleExamples(policy.rules, ruleMatches);
}

function noDirectory(path: string): OpenedWorkspace {
  const source = { file: path, line: 1, column: 1 };
  return { ok: false, problems: [{ code: 'cwd/missing', message: `${path} is not a directory`, source }], sources: [path] };
}

type ReadOverlay =
  | {
      readonly ok: true;
      readonly policy: ComposedPolicy;
      readonly ceiling: ReturnType<typeof permissionsFromToml>['permissions'];
      readonly notes: readonly PolicyNote[];
    }
  | { readonly ok: false; readonly problems: readonly PolicyProblem[] };

/** Reads `--permissions-overlay`: an additional limit, or (replace, unless locked) the whole policy. */
function readOverlay(overlay: WorkspaceOptions['overlay'], policy: ComposedPolicy): ReadOverlay {
  if (overlay === undefined) return { ok: true, policy, ceiling: null, notes: [] };
  const text = readText(overlay.file);
  if (!text.ok)
    return {
      ok: false,
      problems: [
        {
          code: `overlay/${text.code}`,
          message: `${overlay.file} ${text.message}`,
          source: { file: overlay.file, line: 1, column: 1 },
        },
      ],
    };
  const { permissions, problems } = permissionsFromToml(text.text, overlay.file);
  if (permissions === null) return { ok: false, problems };
  if (overlay.mode === 'compose') return { ok: true, policy, ceiling: permissions, notes: [] };
  if (policy.locked) {
    return {
      ok: true,
      policy,
      ceiling: permissions,
      notes: [{ code: 'lock/overlay-ignored', message: `${LOCKED_OVERLAY}; its rules can only tighten` }],
    };
  }
  return {
    ok: true,
    policy: { ...policy, rules: permissions.rules, preset: null, default: permissions.defaultMode },
    ceiling: null,
    notes: [],
  };
}
