/**
 * The permission table: the real engine is asked about every call of the corpus, for the session and for the agents of each
 * runner. Agents with the same permissions are asked about once; calls are judged, never made.
 */
import type { AgentDefinition } from '../../agent/agent.js';
import { RUNNERS, type RunnerId } from '../../call/tool-call.js';
import { agentData } from '../../decide/policy/compile.js';
import { readyPolicy } from '../../decide/policy/policy-data.js';
import { atMoment } from '../../enforce/enforce.js';
import { Moment } from '../../project/surroundings.js';
import type { Workspace } from '../../project/workspace.js';
import { runnerNamed } from '../../runner/runners.js';
import { excerptOf } from '../model/digest.js';
import { grouped } from '../model/grouped.js';
import type { PermissionCall, PermissionRow, PermissionTable, PermittedAgent } from '../model/table.js';
import { agentsByRunner, type JudgedAgent } from '../permissions/agents.js';
import { answering } from '../permissions/answer.js';
import { type Capabilities, capabilities } from '../permissions/corpus.js';
import { permissionSet } from '../permissions/permission-set.js';
import { byBlastRadius, rowOf } from '../permissions/row.js';
import { runnerCall } from '../permissions/runner-call.js';
import { type AuditSubject, decidedForEach } from './subject.js';

/** At most this many different permission sets are judged; a stranger's repository may contain any number. */
export const MOST_SETS = 400;
const LONGEST_NAME = 120;

interface Subject extends Pick<AuditSubject, 'workspace' | 'project'> {
  readonly home: string;
  /** The audited runners: their sessions are asked about, too. */
  readonly runners: readonly RunnerId[];
}

/** Judges every call for every runner that is audited or has agents. */
export function permissionTable(subject: Subject): PermissionTable {
  const corpus = capabilities();
  const agents = agentsByRunner(subject.workspace);
  const told = RUNNERS.filter((runner) => subject.runners.includes(runner) || agents.has(runner));
  let left = MOST_SETS;
  const judged = told.map((runner) => {
    const one = judgedRunner(subject, corpus, runner, {
      agents: agents.get(runner) ?? [],
      most: left,
      session: subject.runners.includes(runner),
    });
    left -= one.sets;
    return one;
  });
  return {
    classes: corpus.classes.map(({ id, short, title }) => ({ id, short, title })),
    calls: judged.flatMap(({ calls }) => calls),
    rows: judged.flatMap(({ rows }) => rows).sort(byBlastRadius),
    unjudged: judged.flatMap(({ unjudged }) => unjudged),
  };
}

interface Asked {
  readonly agents: readonly JudgedAgent[];
  /** The maximum number of permission sets to judge. */
  readonly most: number;
  /** Whether the session without an agent is also asked about. */
  readonly session: boolean;
}

interface JudgedRunner {
  readonly calls: readonly PermissionCall[];
  readonly rows: readonly PermissionRow[];
  readonly sets: number;
  readonly unjudged: PermissionTable['unjudged'];
}

function judgedRunner(subject: Subject, corpus: Capabilities, id: RunnerId, { agents, most, session }: Asked): JudgedRunner {
  const runner = runnerNamed(id);
  if (runner === undefined) return { calls: [], rows: [], sets: 0, unjudged: [] };
  const places = { project: subject.project, home: subject.home };
  const calls = corpus.calls.flatMap((call) => runnerCall(call, runner, places) ?? []);
  const tools = [...new Set(calls.map(({ tool }) => tool))];
  const sets = [
    ...grouped(agents, ({ known }) => permissionSet(known, { runner: id, policy: subject.workspace.policy, tools })).values(),
  ];
  const told = sets.slice(0, most);
  const asked = {
    ...subject,
    workspace: ofRunner(
      subject.workspace,
      id,
      told.flatMap(([first]) => first ?? []),
    ),
  };
  // The session, then one agent of each set.
  const callers = [...(session ? [null] : []), ...told.map(([first]) => first?.listed.rawName ?? null)];
  const answerTo = answering();
  const answers = calls.map(({ id: call, tool, input }) =>
    decidedForEach(asked, id, { tool, input }, callers).map((decision) => answerTo(call, decision)),
  );
  const rows = [...(session ? [null] : []), ...told].map((permitted, at) =>
    rowOf(
      corpus,
      id,
      permitted?.map(({ listed }) => permittedAgent(listed)) ?? null,
      answers.flatMap((ofCall) => ofCall[at] ?? []),
    ),
  );
  const unjudged = sets
    .slice(most)
    .flatMap((one) => one.map(({ listed }) => ({ runner: id, name: permittedAgent(listed).name })));
  return { calls, rows: withEqualRows(rows), sets: told.length, unjudged };
}

/** Returns the workspace as the hook of a runner opens it, limited to these agents. */
function ofRunner(workspace: Workspace, runner: RunnerId, agents: readonly JudgedAgent[]): Workspace {
  const data = { ...workspace.data, agents: agents.map(({ known }) => agentData(known)) };
  const surroundings = { ...workspace.surroundings, runner };
  return atMoment(
    { ...workspace, data, compiled: readyPolicy(data), surroundings },
    workspace.surroundings.moment ?? new Moment(),
  );
}

function permittedAgent({ rawName, source }: AgentDefinition): PermittedAgent {
  return { name: excerptOf(rawName, LONGEST_NAME), file: source.file, line: source.line };
}

/** Agents with differently written permissions but the same result share a row. */
function withEqualRows(rows: readonly PermissionRow[]): readonly PermissionRow[] {
  return [...grouped(rows, outcomeOf).values()].flatMap(([first, ...more]) => {
    if (first === undefined || first.agents === null) return first ?? [];
    return [{ ...first, agents: [first, ...more].flatMap(({ agents }) => agents ?? []) }];
  });
}

/** Returns the decisions and their rules; rules in an agent's own file by their text. */
function outcomeOf({ agents, cells }: PermissionRow): string {
  const answers = cells.flatMap((cell) => cell.answers);
  return JSON.stringify([
    agents === null,
    answers.map(({ decision, rules }) => [
      decision,
      rules.map(({ text, layer, file, line }) => (layer === 'agent' ? text : [text, file, line])),
    ]),
  ]);
}
