/** The engine as the oracle asks it: preset safe and rules that allow some unknown commands, facts as the sandbox really is. */
import type { Shell, ToolCall } from '../../src/call/tool-call.js';
import type { Command } from '../../src/command/model/command.js';
import { decide } from '../../src/decide/decide.js';
import { factsNeeded } from '../../src/decide/facts-needed.js';
import { analyse, type CallAnalysis } from '../../src/decide/flow/analysis.js';
import { directoryOf, placedValue } from '../../src/decide/flow/directories.js';
import { commandReferences } from '../../src/decide/flow/references.js';
import type { Place } from '../../src/decide/place/place.js';
import { compilePolicy } from '../../src/decide/policy/compile.js';
import type { Facts } from '../../src/decide/ruling/facts.js';
import { presetNamed } from '../../src/policy/presets.js';
import { parseEntry } from '../../src/rule/pattern/entry.js';
import type { PermissionRule } from '../../src/rule/pattern/permission-rule.js';
import type { FoundNames, ShellWord } from '../../src/shell/syntax/types.js';
import { BARE_POLICY } from '../decide/bare-policy.js';
import { factOf, HOME, namesOf, PROJECT } from './layout.js';

/**
 * What a person allowed by name: commands nobody knows, so that lines with them are allowed, and builtins that evaluate their words,
 * so that only the reading of the line stands between them and what they hide.
 */
const ALLOWED = ['P', 'PWNED', 'm1', 'm2', 'zz', 'npm test', 'make', 'env', 'touch', 'mkdir', 'tee', 'f', 'g']
  .concat(['eval', '.', 'source', 'trap', 'alias', 'hash', 'enable', 'shopt', 'set', 'let', 'mapfile', 'readarray', 'complete'])
  .concat(['compgen', 'declare', 'typeset', 'local', 'export', 'readonly', 'unset', 'read', 'wait', 'getopts', 'printf', 'test'])
  .concat([
    '[',
    'bind',
    'jobs',
    'history',
    'fc',
    'exec',
    'coproc',
    'unalias',
    'pushd',
    'popd',
    'cd',
    'return',
    'break',
    'continue',
  ])
  .map((name) => `${name} *`);

/** One command as the engine judged it. */
export interface JudgedCommand {
  readonly words: readonly ShellWord[];
  /** Arguments that nobody sees follow (`xargs`). */
  readonly appended: boolean;
  /** What is known of these; null when nothing is. */
  readonly names: FoundNames | null;
  /** Where it runs; null when the engine does not know. */
  readonly directory: string | null;
  readonly assignments: readonly { readonly name: string; readonly value: string | null }[];
}

/** Everything that an allow speaks of. */
export interface Judged {
  readonly commands: readonly JudgedCommand[];
  /** Files that it may write or change, absolute, links followed. */
  readonly writes: readonly string[];
}

export interface Answer {
  readonly allowed: boolean;
  /** Codes of the reasons. */
  readonly reasons: readonly string[];
  /** Computed only when somebody asks. */
  readonly judged: () => Judged;
}

const PLACE = { cwd: PROJECT, home: HOME, project: PROJECT };

function rule(pattern: string, index: number): PermissionRule {
  const text = `Bash(${pattern})`;
  const entry = parseEntry(text);
  if (!entry.ok) throw new Error(`${text}: ${entry.message}`);
  const source = { file: 'oracle.yaml', line: index + 1, column: 1 };
  return { effect: 'allow', tool: entry.tool, pattern: entry.pattern, text, layer: 'user', source };
}

const compiled = compilePolicy({ ...BARE_POLICY, rules: ALLOWED.map(rule), preset: presetNamed('safe') }, [], null);

/** Asks the engine about one line for a shell; it may throw, which is a finding of its own. */
export function ask(line: string, shell: Shell = 'bash'): Answer {
  const call: ToolCall = { tool: 'Bash', input: { command: line }, cwd: PROJECT, headless: false, shell };
  const analysis = analyse(call);
  const decision = decide(compiled, call, factsFor(analysis));
  return {
    allowed: decision.decision === 'allow',
    reasons: decision.reasons.map((reason) => reason.code),
    judged: () => judgedOf(analysis),
  };
}

function factsFor(analysis: CallAnalysis): Facts {
  const needed = factsNeeded(analysis, placeWithTops(analysis));
  return {
    project: PROJECT,
    cwd: PROJECT,
    home: HOME,
    platform: 'linux',
    paths: Object.fromEntries(needed.paths.map((path) => [path, factOf(path)])),
    secretTrees: Object.fromEntries(needed.trees.map((tree) => [tree, []])),
    names: {
      trees: Object.fromEntries(needed.names.trees.map((tree) => [tree, namesOf(tree)])),
      folders: Object.fromEntries(needed.names.folders.map((folder) => [folder, namesOf(folder)])),
      indexes: Object.fromEntries(needed.names.indexes.map((directory) => [directory, namesOf(directory)])),
    },
    git: {
      top: PROJECT,
      remotes: ['origin'],
      branch: 'feature/x',
      upstream: { remote: 'origin', branch: 'feature/x' },
      hazards: [],
      astray: [],
      directories: Object.fromEntries(
        needed.gitDirectories.map((directory) => [directory, factOf(directory).real.startsWith(PROJECT) ? PROJECT : directory]),
      ),
    },
    environment: [],
    budget: null,
    ownDirectories: [`${HOME}/.config/policy`],
  };
}

/** Every directory below the project belongs to its repository. */
function placeWithTops(analysis: CallAnalysis): Place {
  const { tops } = factsNeeded(analysis, PLACE);
  const topOf = (directory: string) => (factOf(directory).real.startsWith(PROJECT) ? PROJECT : directory);
  return { ...PLACE, tops: Object.fromEntries(tops.map((directory) => [directory, topOf(directory)])) };
}

/** `git -C DIR` starts where the shell is, and its folder is another. */
function movesItself({ name, invocation }: Command): boolean {
  return name === 'git' && invocation.argv.some(({ value }) => value === '-C');
}

/** Names that a command only shows may be any text: nothing rests on where they lie. */
function anyText({ names, ...word }: ShellWord): ShellWord {
  return names === undefined ? word : { ...word, data: 'one' };
}

/** A word that stands for a folder, as the decision takes it: bash must have taken it for the same. */
function placed(word: ShellWord, place: Place): ShellWord {
  const value = word.origin === undefined ? null : placedValue(word, place);
  if (value === null) return word;
  const { text, span } = word;
  return { text, value, span, glob: false, tilde: false, literalPrefix: value };
}

function judgedOf(analysis: CallAnalysis): Judged {
  const place = placeWithTops(analysis);
  const commands: JudgedCommand[] = [];
  const writes: string[] = [];
  const collect = (command: Command): void => {
    const names = command.verdict.effects.find(({ path }) => path?.names !== undefined)?.path?.names ?? null;
    commands.push({
      words: command.invocation.argv.map((word) => placed(names === null ? anyText(word) : word, place)),
      appended: command.appended,
      names,
      directory: movesItself(command) ? null : directoryOf(command, place),
      assignments: command.invocation.assignments,
    });
    for (const { access, key } of commandReferences(command, place))
      if ((access === 'write' || access === 'delete') && key !== null) writes.push(factOf(key).real);
    for (const inner of command.inner) collect(inner);
  };
  for (const line of analysis.lines) for (const command of line.tree.commands) collect(command);
  return { commands, writes };
}
