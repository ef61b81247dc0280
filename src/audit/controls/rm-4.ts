/** RM-4, allowlists enforced before execution: what the files declare, what the policy decides, and what the installed hook does. */
import type { AgentDefinition } from '../../agent/agent.js';
import type { RunnerId } from '../../call/tool-call.js';
import type { Decision } from '../../decide/ruling/decision.js';
import { isReadBy } from '../../definitions/known-agents.js';
import { inSession } from '../claims/in-session.js';
import { otherHooks } from '../doctor/found/other-hooks.js';
import type { Probe } from '../hooks/installed-hooks.js';
import { excerptOf, shownFile } from '../model/digest.js';
import { type EvidenceDraft, type Examined, judged, notApplicable } from '../model/examined.js';
import { grouped } from '../model/grouped.js';
import { allowlistEvidence, isLimited, outsideCall } from '../subject/allowlists.js';
import type { Control } from '../subject/control.js';
import { decisionEvidence, digested, lineEvidence, scanEvidence } from '../subject/evidence.js';
import {
  type AskedCall,
  type AuditedRunner,
  type AuditSubject,
  decidedForEach,
  forEachRunner,
  settingEvidence,
} from '../subject/subject.js';
import { serverSurroundings, surroundingsOf } from '../surroundings/surroundings.js';

export const rm4: Control = {
  id: 'RM-4',
  async examine(subject) {
    return [
      { claim: 'lock', runner: null, found: lock(subject) },
      { claim: 'allowlists', runner: null, found: allowlists(subject) },
      { claim: 'decides', runner: null, found: decides(subject) },
      ...(await forEachRunner(subject, 'hook', inForce)),
      ...(await forEachRunner(subject, 'outside', (one) => outside(subject, one))),
      ...(await forEachRunner(subject, 'in-session', (one) => inSession(subject, one))),
      ...(await forEachRunner(subject, 'surroundings', (one) => surroundings(subject, one))),
    ];
  },
};

/** Evidence: `security.disable_bypass_permissions` of the composed policy. */
function lock(subject: AuditSubject): Examined {
  const value = subject.workspace.policy.locked;
  const shows = value ? 'The bypass lock is set.' : 'The bypass lock is not set.';
  return judged([settingEvidence(subject, { key: 'security.disable_bypass_permissions', value, supports: value, shows })], '');
}

const NO_AGENTS = 'There are no agent definitions here.';
const NO_LIST = 'No agent definition has a list that omits a tool.';

/** One line of each definition: its list, or a note that it has none. */
function allowlists(subject: AuditSubject): Examined {
  const lists = subject.workspace.agents.flatMap((agent) => allowlistEvidence(subject, agent));
  return lists.length === 0 ? notApplicable(NO_AGENTS) : judged(lists, '');
}

/** Tries, for each limited agent, one tool that its list does not name. */
function decides(subject: AuditSubject): Examined {
  const calls = subject.workspace.agents
    .filter((agent) => isLimited(agent, subject.workspace.policy.agents.missingTools))
    .flatMap((agent): OutsideCall[] => {
      const call = outsideCall(agent, subject.project);
      const runner = subject.runners.find((one) => isReadBy(agent, one.runner.id))?.runner.id;
      return call === null || runner === undefined ? [] : [{ agent, call, runner }];
    });
  const decisions = decidedTogether(subject, calls);
  const evidence = calls.flatMap((one) => {
    const decision = decisions.get(one);
    return decision === undefined ? [] : [outsideEvidence(one, decision)];
  });
  return evidence.length === 0 ? notApplicable(NO_LIST) : judged(evidence, '');
}

interface OutsideCall {
  readonly agent: AgentDefinition;
  readonly call: AskedCall;
  readonly runner: RunnerId;
}

/** A project may have hundreds of agents, but few distinct calls are tried: each call is decided once for all agents that make it. */
function decidedTogether(subject: AuditSubject, calls: readonly OutsideCall[]): ReadonlyMap<OutsideCall, Decision> {
  const decisions = new Map<OutsideCall, Decision>();
  for (const alike of grouped(calls, ({ call, runner }) => `${runner} ${call.tool}`).values()) {
    const [first] = alike;
    if (first === undefined) continue;
    const callers = alike.map(({ agent }) => agent.rawName);
    for (const [at, decision] of decidedForEach(subject, first.runner, first.call, callers).entries()) {
      const one = alike[at];
      if (one !== undefined) decisions.set(one, decision);
    }
  }
  return decisions;
}

function outsideEvidence({ agent, call, runner }: OutsideCall, { decision, message }: Decision): EvidenceDraft {
  const answer = { decision, message: excerptOf(message) };
  const shows = `${call.tool} for agent ${agent.name}: ${decision}.`;
  return decisionEvidence(runner, { ...call, agent: agent.rawName }, 'deny', answer, shows);
}

/** A hook that can block and is ours (or was started because a person said so); otherwise, everything that was examined instead. */
function inForce({ hooks }: AuditedRunner): Examined {
  const known = hooks.blocking.filter(({ probed }) => probed);
  const [first] = known;
  if (first !== undefined)
    return judged(
      known.map(({ hook, own }) => hookEvidence(hook, true, own === null ? STARTED : 'This hook is ours.')),
      '',
    );
  const strangers: EvidenceDraft[] = [
    ...hooks.blocking.map(({ hook }) => ({ hook, why: 'it is not ours, so it was not started (--run-hooks starts it)' })),
    ...hooks.others.map((hook) => ({ hook, why: hook.whyNotBlocking ?? '' })),
  ].map(({ hook, why }) => hookEvidence(hook, false, `This hook does not count: ${why}.`));
  return judged([settingsScan(hooks), ...strangers], '');
}

const STARTED = 'This hook is not ours; it was started because --run-hooks was given.';

type FoundHook = AuditedRunner['hooks']['others'][number];

function hookEvidence({ place, command, type }: FoundHook, supports: boolean, shows: string): EvidenceDraft {
  return { kind: 'file', supports, shows, place, excerpt: excerptOf(command ?? type) };
}

/** Lists the settings files that would have to name the hook. */
function settingsScan({ files }: AuditedRunner['hooks']): EvidenceDraft {
  const ignored = files.find((file) => file.ignored !== null);
  const unread = files.find((file) => file.unread !== null);
  const more = [
    ignored === undefined ? '' : ` The runner ignores ${ignored.file}: ${ignored.ignored}.`,
    unread === undefined ? '' : ` ${unread.file} cannot be read here: ${unread.unread}.`,
  ].join('');
  const shows = `The runner's settings have no policy hook in force.${more}`;
  const looked = files.map(({ file, digest }) => ({ file, digest }));
  return scanEvidence(false, shows, 'a hook with our command line before every tool call', looked);
}

const CANNOT_START = 'No subagent can start here, so none can use a tool outside its list.';

/** Sends the installed hook a call that is outside the list of the first limited agent. */
async function outside(subject: AuditSubject, one: AuditedRunner): Promise<Examined> {
  const probe = agentProbe(subject, one.runner.id);
  if (probe === null) return notApplicable(NO_LIST);
  if (!one.hooks.knows(probe.call)) return await outsideAfterStart(probe, one);
  const result = await one.hooks.probe(probe);
  const isAnswer = result === null || result.evidence.some((piece) => piece.probe === probe.id);
  return isAnswer
    ? judged(result?.evidence ?? [], one.hooks.whyNotAsked)
    : judged([], 'The hook did not answer an earlier probe.');
}

/** If payloads do not name the calling agent, the hook assumes the agent that was started last. */
async function outsideAfterStart({ call: { agent = '', ...call } }: Probe, { hooks }: AuditedRunner): Promise<Examined> {
  const input = { description: 'd', prompt: 'p', subagent_type: agent, run_in_background: false };
  const start: Probe = {
    id: 'subagent',
    expected: 'not blocked',
    call: { tool: 'Agent', input, toolUseId: 'toolu_audit_subagent' },
  };
  const told = await hooks.inOrder([start, { id: 'outside-allowlist', expected: 'blocked', call }]);
  if (told === null) return judged([], hooks.whyNotAsked);
  const [started, outsideCalled] = told;
  if (started?.outcome === 'blocked') return notApplicable(CANNOT_START, [{ ...started, expected: 'blocked', supports: true }]);
  return judged(outsideCalled === undefined ? [] : told, '');
}

/** The project's own settings that bypass the hook, or the files in which none was found. */
function surroundings({ places, project, workspace }: AuditSubject, { runner, hooks }: AuditedRunner): Examined {
  const settings = [...surroundingsOf(runner, places, workspace), ...serverSurroundings(places, workspace)].filter(
    ({ level }) => level === 'problem',
  );
  const answering = otherHooks(runner, places).flatMap(({ kind, ofProject: isTheirs, file, line }) =>
    isTheirs && kind === 'permission'
      ? [{ file, line, message: `The project hook in ${file}:${line} may answer permission questions for the person` }]
      : [],
  );
  const pieces = [...settings, ...answering].flatMap(({ file, line, message }) =>
    lineEvidence(project, { file: shownFile(project, file), line }, excerptOf(`${message.replace(/\.$/, '')}.`)),
  );
  if (pieces.length > 0) return judged(pieces, '');
  const files = [...new Set([...hooks.files.map(({ file }) => file), '.mcp.json'])];
  const shows = "No setting that bypasses the hook was found in the project's files.";
  const lookedFor =
    'bypass modes, unlimited rules, all MCP servers enabled at once, other servers and programs, hooks, credentials';
  return judged([scanEvidence(true, shows, lookedFor, digested(project, files))], '');
}

/** Returns a probe for the first agent of this runner whose list omits a tool; null if there is no such agent. */
function agentProbe({ workspace, project }: AuditSubject, runner: RunnerId): Probe | null {
  const { missingTools } = workspace.policy.agents;
  for (const agent of workspace.agents) {
    const isOurs = isReadBy(agent, runner) && isLimited(agent, missingTools);
    const call = isOurs ? outsideCall(agent, project) : null;
    if (call === null) continue;
    const { tool, input } = call;
    return {
      id: 'outside-allowlist',
      expected: 'blocked',
      call: { tool, input, agent: agent.rawName, toolUseId: 'toolu_audit_outside-allowlist' },
    };
  }
  return null;
}
