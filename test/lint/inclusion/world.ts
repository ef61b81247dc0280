// Who decides about a command line under one rule alone, and what lint says of two such rules: of a policy, and of Claude Code's settings.
import type { ToolCall } from '../../../src/call/tool-call.js';
import { decide } from '../../../src/decide/decide.js';
import { factsNeeded } from '../../../src/decide/facts-needed.js';
import { analyse, type CallAnalysis } from '../../../src/decide/flow/analysis.js';
import { compilePolicy } from '../../../src/decide/policy/compile.js';
import type { Facts } from '../../../src/decide/ruling/facts.js';
import { answerOf } from '../../../src/lint/claude-rules/answer.js';
import { ClaudeCoverage } from '../../../src/lint/claude-rules/coverage.js';
import type { ClaudeEntry } from '../../../src/lint/claude-rules/entries.js';
import { readClaudeRule } from '../../../src/lint/claude-rules/read.js';
import type { ConfigFile, PolicyFile } from '../../../src/lint/files/files.js';
import type { RuleInFile } from '../../../src/lint/project/project.js';
import { RuleCoverage } from '../../../src/lint/project/rule-coverage.js';
import { parseEntry } from '../../../src/rule/pattern/entry.js';
import type { Effect, PermissionRule } from '../../../src/rule/pattern/permission-rule.js';
import { BARE_POLICY } from '../../decide/bare-policy.js';

/** A command line, read once for all the rules that it is held against. */
export interface ReadCall {
  readonly call: ToolCall;
  readonly analysis: CallAnalysis;
  readonly facts: Facts;
}

/** One rule: what it decides, and whether lint says that it stands for another one. */
export interface Judge {
  readonly effect: Effect;
  readonly text: string;
  readonly decides: (line: ReadCall) => boolean;
  /** With an example, if lint has one. */
  readonly covers: (inner: Judge) => { readonly example: string | null } | null;
}

/** The judge of a rule for Bash; null for a text that is no rule. */
export type System = (effect: Effect, pattern: string) => Judge | null;

export function readLine(command: string): ReadCall {
  const call: ToolCall = { tool: 'Bash', input: { command }, cwd: '/repo', headless: false, shell: 'bash' };
  const analysis = analyse(call);
  const needed = factsNeeded(analysis, { cwd: '/repo', home: '/home/me', project: '/repo' });
  const facts: Facts = {
    project: '/repo',
    cwd: '/repo',
    home: '/home/me',
    platform: 'linux',
    paths: Object.fromEntries(needed.paths.map((path) => [path, { real: path, kind: 'file' as const }])),
    secretTrees: Object.fromEntries(needed.trees.map((tree) => [tree, []])),
    git: {
      top: '/repo',
      remotes: ['origin', 'x'],
      branch: 'x',
      upstream: { remote: 'origin', branch: 'x' },
      hazards: [],
      astray: [],
      directories: Object.fromEntries(needed.gitDirectories.map((directory) => [directory, '/repo'])),
    },
    environment: [],
    budget: null,
    ownDirectories: [],
  };
  return { call, analysis, facts };
}

/** decide() under a policy that has nothing but the rule. */
export const OF_POLICY: System = (effect, pattern) => {
  const text = `Bash(${pattern})`;
  const entry = parseEntry(text);
  if (!entry.ok) return null;
  const source = { file: 'policy.yaml', line: 1, column: 1 };
  const rule: PermissionRule = { effect, tool: entry.tool, pattern: entry.pattern, text, layer: 'project', source };
  const inFile: RuleInFile = { rule, span: { ...source, endLine: 1, endColumn: 2 }, file: { path: 'policy.yaml' } as PolicyFile };
  const compiled = compilePolicy({ ...BARE_POLICY, rules: [rule] }, [], null);
  const decides = ({ call, facts, analysis }: ReadCall) => {
    const { decision, reasons } = decide(compiled, call, facts, analysis);
    const codes = reasons.map(({ code }) => code);
    // A line that cannot be read is denied under some rules and asked about under others: either way the rule may be meant.
    if (effect !== 'allow' && codes.includes('rule/uncertain')) return true;
    return effect === 'ask' ? codes.includes('rule/ask') : decision === effect;
  };
  const covers = (inner: Judge) => {
    const other = policyRules.get(inner);
    const covering = other === undefined ? null : new RuleCoverage([inFile]).covering(other);
    return covering === null ? null : { example: covering.witness };
  };
  const judge = { effect, text, decides, covers };
  policyRules.set(judge, inFile);
  return judge;
};
const policyRules = new WeakMap<Judge, RuleInFile>();

/** Claude Code's own answer, as the recorded tables have it. */
export const OF_CLAUDE: System = (effect, pattern) => {
  const text = `Bash(${pattern})`;
  const rule = { ...readClaudeRule(text, effect), settings: '/repo' };
  if (rule.reach.kind === 'nothing' || rule.reach.kind === 'unread') return null;
  const span = { file: 'settings.json', line: 1, column: 1, endLine: 1, endColumn: 2 };
  const entry: ClaudeEntry = { ...rule, file: {} as ConfigFile, span, start: 0, end: 0, index: 0, verbatim: true };
  const decides = ({ call }: ReadCall) => answerOf([rule], call, { cwd: '/repo', home: '/home/me' })?.effect === effect;
  const covers = (inner: Judge) => {
    const other = claudeRules.get(inner);
    const covering = other === undefined ? null : new ClaudeCoverage([entry]).covering({ ...other, start: 1 });
    return covering === null ? null : { example: covering.witness === '' ? null : covering.witness };
  };
  const judge = { effect, text, decides, covers };
  claudeRules.set(judge, entry);
  return judge;
};
const claudeRules = new WeakMap<Judge, ClaudeEntry>();
