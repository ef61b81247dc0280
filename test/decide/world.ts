/** A small world for decisions: rules, facts and calls built in memory, so that a test row is one line. */
import { posix } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { AgentDefinition, PermissionsConfig } from '../../src/agent/agent.js';
import { inputFromText } from '../../src/call/subject.js';
import type { ToolCall } from '../../src/call/tool-call.js';
import { CHOOSING } from '../../src/command/grammar/table.js';
import { decide } from '../../src/decide/decide.js';
import { factsNeeded } from '../../src/decide/facts-needed.js';
import { analyse } from '../../src/decide/flow/analysis.js';
import { incomingKey } from '../../src/decide/guards/git/incoming-needed.js';
import { printedKey } from '../../src/decide/guards/git/printed-secrets.js';
import { compileToData } from '../../src/decide/policy/compile.js';
import { type CompiledPolicy, type PolicyData, readyPolicy } from '../../src/decide/policy/policy-data.js';
import { findRemedy, remedyLine } from '../../src/decide/remedy/remedy.js';
import type { Decision } from '../../src/decide/ruling/decision.js';
import type { Facts, GitFacts, NameFacts, PathFact } from '../../src/decide/ruling/facts.js';
import type { Policy, PresetName } from '../../src/policy/policy.js';
import { presetNamed } from '../../src/policy/presets.js';
import { parseEntry } from '../../src/rule/pattern/entry.js';
import type { Effect, PermissionRule } from '../../src/rule/pattern/permission-rule.js';
import { BARE_POLICY } from './bare-policy.js';
import { throughStore } from './stored.js';

const PROJECT = '/repo';
const HOME = '/home/me';

/** A rule as a test writes it; throws when the text is no rule, since that is a mistake of the test. */
function rule(effect: Effect, text: string): PermissionRule {
  const entry = parseEntry(text);
  if (!entry.ok) throw new Error(`${text}: ${entry.message}`);
  return {
    effect,
    tool: entry.tool,
    pattern: entry.pattern,
    text,
    layer: 'project',
    source: { file: 'policy.yaml', line: 1, column: 1 },
  };
}

export interface World {
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
  readonly preset?: PresetName;
  readonly policy?: Partial<Policy>;
  readonly agents?: readonly AgentDefinition[];
  readonly overlay?: PermissionsConfig;
  readonly facts?: Partial<Facts>;
  readonly git?: Partial<GitFacts>;
  /** Where paths really lead, by their absolute form; all others lead to themselves. */
  readonly links?: Readonly<Record<string, string>>;
  /** What else is known of paths, by their absolute form. */
  readonly known?: Readonly<Record<string, Partial<PathFact>>>;
  /** Secret files of the project, absolute. */
  readonly secrets?: readonly string[];
  /** Links in installed packages that lead out of the project, absolute. */
  readonly packed?: readonly string[];
  /** Names of files that are nowhere; all others are there. */
  readonly missing?: readonly string[];
  /** What is odd about the names of its files and of its index; nothing when left out. */
  readonly names?: Partial<NameFacts>;
}

/** A world's policy in both of its forms. */
interface Compiled {
  readonly policy: CompiledPolicy;
  /** As a snapshot gives it back; null with an overlay, which is never stored. */
  readonly stored: CompiledPolicy | null;
}

const known = new Map<string, Compiled>();
const MOST_KNOWN = 500;

/** Worlds with the same rules share a policy: compiling it takes longer than most decisions. */
function compiled(world: World): Compiled {
  const { allow, ask, deny, preset, policy, agents, overlay } = world;
  const key = JSON.stringify([allow, ask, deny, preset, policy, agents, overlay]);
  const found = known.get(key);
  if (found !== undefined) return found;
  const data = policyData(world);
  const made = { policy: readyPolicy(data), stored: data.overlay === null ? throughStore(data) : null };
  if (known.size < MOST_KNOWN) known.set(key, made);
  return made;
}

function policyData(world: World): PolicyData {
  const rules = [
    ...(world.allow ?? []).map((text) => rule('allow', text)),
    ...(world.ask ?? []).map((text) => rule('ask', text)),
    ...(world.deny ?? []).map((text) => rule('deny', text)),
  ];
  const preset = world.preset === undefined ? null : presetNamed(world.preset);
  return compileToData({ ...BARE_POLICY, rules, preset, ...world.policy }, world.agents ?? [], world.overlay ?? null);
}

/** A call from its tool and either its main input as text or its whole input. */
function call(tool: string, input: string | Record<string, unknown>, more: Partial<ToolCall> = {}): ToolCall {
  return {
    tool,
    input: typeof input === 'string' ? inputFromText(tool, input) : input,
    cwd: PROJECT,
    headless: false,
    shell: 'bash',
    ...more,
  };
}

const PLAIN_NAMES: NameFacts = { odd: false, leading: false, wild: false, top: false, astray: false };

/** Files by which managers of versions choose programs: few projects have all of them. */
const CHOICES: readonly string[] = [
  ...CHOOSING,
  ...'.node-version .nvmrc .python-version .ruby-version .go-version .java-version .terraform-version'.split(' '),
];

/** Facts in which every path exists and leads where `links` says, inside a clean repository with one remote. */
function factsFor(made: ToolCall, world: World): Facts {
  const place = { cwd: made.cwd, home: HOME, project: world.facts?.project ?? PROJECT };
  const asked = factsNeeded(analyse(made), place);
  const topOf = (directory: string) => (directory.startsWith(PROJECT) ? PROJECT : directory);
  const tops = Object.fromEntries(asked.tops.map((directory) => [directory, topOf(directory)]));
  const needed = asked.tops.length > 0 ? factsNeeded(analyse(made), { ...place, tops }) : asked;
  const real = (path: string) => world.links?.[posix.normalize(path)] ?? posix.normalize(path);
  const isMissing = (path: string) =>
    world.missing?.includes(posix.basename(path)) === true || CHOICES.some((name) => path.endsWith(`/${name}`));
  const kindOf = (path: string) => (isMissing(path) ? ('missing' as const) : ('file' as const));
  const trees = needed.trees.map(
    (tree) =>
      [tree, (world.secrets ?? []).filter((file) => file === tree || file.startsWith(`${posix.normalize(tree)}/`))] as const,
  );
  return {
    project: PROJECT,
    cwd: made.cwd,
    home: HOME,
    platform: 'linux',
    paths: Object.fromEntries(
      [...needed.paths, ...Object.keys(world.known ?? {})].map((path) => [
        path,
        { real: real(path), kind: kindOf(path), ...world.known?.[posix.normalize(path)] },
      ]),
    ),
    secretTrees: Object.fromEntries(trees),
    packedLinks: Object.fromEntries(
      needed.packed.map((tree) => [tree, (world.packed ?? []).filter((file) => file.startsWith(`${posix.normalize(tree)}/`))]),
    ),
    names: {
      trees: Object.fromEntries(needed.names.trees.map((tree) => [tree, { ...PLAIN_NAMES, ...world.names }])),
      folders: Object.fromEntries(needed.names.folders.map((folder) => [folder, { ...PLAIN_NAMES, ...world.names }])),
      indexes: Object.fromEntries(
        needed.names.indexes.map((directory) => [directory, { ...PLAIN_NAMES, top: directory === PROJECT, ...world.names }]),
      ),
    },
    git: {
      top: PROJECT,
      remotes: ['origin'],
      branch: 'feature/x',
      upstream: { remote: 'origin', branch: 'feature/x' },
      hazards: [],
      astray: [],
      directories: Object.fromEntries(needed.gitDirectories.map((directory) => [directory, topOf(directory)])),
      ...world.git,
    },
    incoming: Object.fromEntries(needed.incoming.map((one) => [incomingKey(one), { top: PROJECT, files: [] }])),
    printed: Object.fromEntries(needed.printed.map((one) => [printedKey(one), { secrets: [], tracked: [] }])),
    environment: [],
    budget: null,
    ownDirectories: [`${HOME}/.config/policy`],
    ...world.facts,
  };
}

/** Decides one call in a world; a policy that was stored decides the same, an overlay apart, which is never stored. */
export function decideIn(
  world: World,
  tool: string,
  input: string | Record<string, unknown>,
  more: Partial<ToolCall> = {},
): Decision {
  const made = call(tool, input, more);
  const { policy, stored } = compiled(world);
  const facts = factsFor(made, world);
  const decision = decide(policy, made, facts);
  if (stored !== null && !isDeepStrictEqual(decide(stored, made, facts), decision))
    throw new Error(`the stored policy decides otherwise than ${JSON.stringify(decision)}`);
  return decision;
}

/** The decision, and what would allow the call as a hook tells it. */
export function settledIn(
  world: World,
  tool: string,
  input: string | Record<string, unknown>,
  more: Partial<ToolCall> = {},
): { readonly decision: Decision; readonly remedy: string | null } {
  const made = call(tool, input, more);
  const { policy } = compiled(world);
  const facts = factsFor(made, world);
  const decision = decide(policy, made, facts);
  const remedy = findRemedy(policy, made, facts, decision);
  return { decision, remedy: remedy && remedyLine(remedy) };
}
