/** What a new rule changes: calls decided without it and with it. Nothing is written anywhere. */
import { inputFromText } from '../../call/subject.js';
import type { ToolCall } from '../../call/tool-call.js';
import { compilePolicy } from '../../decide/compiled/compile.js';
import type { Reason } from '../../decide/decision.js';
import { newestFirst } from '../../log/query.js';
import type { Effect, PermissionRule } from '../../rule/permission-rule.js';
import { enforceDry } from '../enforce.js';
import type { Workspace } from '../project/workspace.js';

/** One call, without and with the rules. */
export interface ChangedCall {
  readonly tool: string;
  readonly subject: string;
  readonly before: Effect;
  readonly after: Effect;
  /** Where the call comes from: the rule, an example of another rule, or so often in the decision log. */
  readonly from: 'rule' | 'example' | number;
  /** The rule of another effect that decides even so: `Bash(rm *) (policy.yaml:12)`. */
  readonly by: string | null;
  /** The new rule that it is a sample of. */
  readonly sampleOf: PermissionRule | null;
  /** The code and the sentence of the first reason for the answer with the rules. */
  readonly reason: Reason | null;
}

interface Probe {
  readonly sampleOf: PermissionRule | null;
  readonly call: ToolCall;
  readonly subject: string;
  readonly from: ChangedCall['from'];
}

/** Records of the decision log that are looked at. */
const MOST_RECORDS = 2_000;
/** Calls of each kind that are told. */
const MOST_TOLD = 12;

/** The calls that the rules are about, those of the examples in the policy, and those in the log; told when the answer is news. */
export function previewRules(
  workspace: Workspace,
  added: readonly PermissionRule[],
  stateDirectory: string | null,
  removed: readonly PermissionRule[] = [],
): readonly ChangedCall[] {
  const isLeft = (rule: PermissionRule) =>
    !removed.some((one) => one.effect === rule.effect && one.text === rule.text && one.layer === rule.layer);
  const policy = { ...workspace.policy, rules: [...workspace.policy.rules.filter(isLeft), ...added] };
  const after: Workspace = { ...workspace, policy, compiled: compilePolicy(policy, workspace.agents) };
  const decided = (probe: Probe): ChangedCall => {
    const then = enforceDry(after, probe.call);
    return {
      tool: probe.call.tool,
      subject: probe.subject,
      before: enforceDry(workspace, probe.call).decision,
      after: then.decision,
      from: probe.from,
      by:
        then.rule === null || then.rule.effect === added[0]?.effect
          ? null
          : `${then.rule.text} (${then.rule.file}:${then.rule.line})`,
      sampleOf: probe.sampleOf,
      reason: then.reasons[0] ?? null,
    };
  };
  const own = [...added, ...removed]
    .flatMap((rule) => samplesOf(rule).map((subject) => ({ ...probe(workspace, rule.tool, subject, 'rule'), sampleOf: rule })))
    .map(decided);
  const others = [...examples(workspace), ...logged(workspace, stateDirectory)]
    .map(decided)
    .filter(({ before, after: then }) => before !== then);
  const told = new Set(own.map(({ tool, subject }) => `${tool} ${subject}`));
  return [
    ...own.slice(0, MOST_TOLD),
    ...others.filter(({ tool, subject }) => !told.has(`${tool} ${subject}`)).slice(0, MOST_TOLD),
  ];
}

function probe({ cwd }: Workspace, tool: string, subject: string, from: Probe['from']): Probe {
  const named = tool.includes('*') ? 'Bash' : tool;
  const call: ToolCall = { tool: named, input: inputFromText(named, subject), cwd, headless: false, shell: 'union' };
  return { call, subject, from, sampleOf: null };
}

/** Subjects that a pattern is about: itself where it has no wildcard, else with something in the wildcard's place. */
function samplesOf({ pattern }: PermissionRule): readonly string[] {
  if (pattern === null) return ['x'];
  if (pattern.startsWith('domain:'))
    return [`https://${pattern.slice(7).replaceAll('*', 'www').replace(/^www$/, 'example.com')}/`];
  const open = /^(.*?)(?:\s|:)?\*+$/s.exec(pattern)?.[1];
  if (open === undefined) return [pattern.replaceAll('*', 'x')];
  const head = open.replaceAll('*', 'x');
  if (/[\s(]|^[\w.-]+$/.test(pattern) || !pattern.includes('/'))
    return [head, `${head} x`, `${head} --force`].filter((text) => text.trim() !== '');
  const base = head.replace(/^\/(?!\/)/, '').replace(/^\/\//, '/');
  return [`${base}${base === '' || base.endsWith('/') ? '' : '/'}x`];
}

/** What the rules of the policy say that they are about: such a call must not change unnoticed. */
function examples(workspace: Workspace): Probe[] {
  return workspace.policy.rules.flatMap((rule) =>
    [...(rule.match ?? []), ...(rule.notMatch ?? []), ...(rule.suggest === undefined ? [] : [rule.suggest])].map((subject) =>
      probe(workspace, rule.tool, subject, 'example'),
    ),
  );
}

/** Calls of the decision log made in this project, as far as they are there in full. */
function logged(workspace: Workspace, stateDirectory: string | null): Probe[] {
  if (stateDirectory === null) return [];
  const found = new Map<string, { call: ToolCall; subject: string; count: number }>();
  let records = 0;
  for (const one of newestFirst(stateDirectory, { kind: 'decision', project: workspace.surroundings.project })) {
    if (!('record' in one) || one.record.kind !== 'decision') continue;
    if (++records > MOST_RECORDS) break;
    const { tool, input, masked, truncated, erased, cwd } = one.record;
    if (
      masked.length + truncated.length + erased.length > 0 ||
      typeof input !== 'object' ||
      input === null ||
      Array.isArray(input)
    )
      continue;
    const key = JSON.stringify([tool, input]);
    const known = found.get(key);
    if (known !== undefined) known.count++;
    else {
      const call: ToolCall = { tool, input: { ...input }, cwd: cwd ?? workspace.cwd, headless: false, shell: 'union' };
      found.set(key, { call, subject: subjectOf(input), count: 1 });
    }
  }
  return [...found.values()].map(({ call, subject, count }) => ({ call, subject, from: count, sampleOf: null }));
}

function subjectOf(input: object): string {
  const texts = Object.values(input).filter((value) => typeof value === 'string');
  return texts[0] ?? JSON.stringify(input);
}
