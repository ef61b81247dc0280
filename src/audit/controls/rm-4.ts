/** RM-4, allowlists enforced before execution: what is written down, what the policy decides, and what the installed hook does. */

import { isReadBy } from '../../enforce/agents/known-agents.js';
import { claudeCode } from '../../runner/claude-code.js';
import { allowlistEvidence, isLimited, outsideCall } from '../allowlists.js';
import type { ChecklistControl, ProbeCall } from '../checklist.js';
import type { Control } from '../control.js';
import { excerptOf, placeIn, shownFile } from '../digest.js';
import { otherHooks } from '../doctor/other-hooks.js';
import { type Examined, judged, type Piece } from '../examined.js';
import type { Probe } from '../installed-hooks.js';
import type { ScanEvidence } from '../report.js';
import { type AuditSubject, decided, settingEvidence } from '../subject.js';
import { serverSecrets, surroundingsOf } from '../surroundings.js';

export const rm4: Control = {
  id: 'RM-4',
  async examine(subject, entry) {
    return new Map([
      ['lock', lock(subject)],
      ['allowlists', allowlists(subject)],
      ['decides', decides(subject)],
      ['gate', gate(subject)],
      ...(await probes(subject, entry)),
      ['surroundings', surroundings(subject)],
    ]);
  },
};

/** `security.disable_bypass_permissions` of the composed policy. */
function lock(subject: AuditSubject): Examined {
  const value = subject.workspace.policy.locked;
  const shows = value ? 'The bypass lock is set.' : 'The bypass lock is not set.';
  return judged([settingEvidence(subject, { key: 'security.disable_bypass_permissions', value, supports: value, shows })], '');
}

const NO_AGENTS = 'There are no agent definitions here.';

/** One line of each definition: its list, or that it has none. */
function allowlists(subject: AuditSubject): Examined {
  return judged(
    subject.workspace.agents.flatMap((agent) => allowlistEvidence(subject, agent) ?? []),
    NO_AGENTS,
  );
}

/** For each limited agent one tool that its list does not name. */
function decides(subject: AuditSubject): Examined {
  const evidence = subject.workspace.agents
    .filter((agent) => isLimited(agent, subject.workspace.policy.agents.missingTools))
    .flatMap((agent): Piece[] => {
      const call = outsideCall(agent, subject.project);
      if (call === null) return [];
      const { decision, message } = decided(subject, call);
      return [
        {
          kind: 'decision',
          supports: decision === 'deny',
          shows: `${call.tool} for agent ${agent.name}: ${decision}.`,
          agent: agent.name,
          tool: call.tool,
          input: call.input,
          expected: 'deny',
          actual: decision,
          message: excerptOf(message),
          command: `policy check --runner claude-code --agent ${agent.name} --input-json ${quoted(JSON.stringify(call.input))} ${call.tool}`,
        },
      ];
    });
  return judged(evidence, 'No agent definition has a list that leaves a tool out.');
}

/** A word that a shell reads back as it is. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** A hook that can block and is ours (or was started because a person said so); else everything that was looked at instead. */
function gate({ hooks: gate }: AuditSubject): Examined {
  const known = gate.gating.filter(({ probed }) => probed);
  const [first] = known;
  if (first !== undefined)
    return judged(
      known.map(({ hook, own }) => ({
        kind: 'file',
        supports: true,
        shows: own === null ? 'This hook is not ours; it was started because --run-hooks was given.' : 'This hook is ours.',
        place: hook.place,
        excerpt: excerptOf(hook.command ?? ''),
      })),
      '',
    );
  const strangers: Piece[] = [
    ...gate.gating.map(({ hook }) => ({ hook, why: 'it is not ours, so it was not started (--run-hooks starts it)' })),
    ...gate.others.map((hook) => ({ hook, why: hook.whyNotBlocking ?? '' })),
  ].map(({ hook, why }) => ({
    kind: 'file',
    supports: false,
    shows: `This hook does not count: ${why}.`,
    place: hook.place,
    excerpt: excerptOf(hook.command ?? hook.type),
  }));
  return judged([settingsScan({ hooks: gate }), ...strangers], '');
}

/** The settings files that would have to name the hook. */
function settingsScan({ hooks: gate }: Pick<AuditSubject, 'hooks'>): Piece<ScanEvidence> {
  const ignored = gate.files.find((file) => file.ignored !== null);
  const unread = gate.files.find((file) => file.unread !== null);
  const more = [
    ignored === undefined ? '' : ` The runner ignores ${ignored.file}: ${ignored.ignored}.`,
    unread === undefined ? '' : ` ${unread.file} cannot be read here: ${unread.unread}.`,
  ].join('');
  return {
    kind: 'scan',
    supports: false,
    shows: `No hook of ours is in force in the runner's settings.${more}`,
    lookedFor: 'a PreToolUse hook for every tool whose command line is ours',
    files: gate.files.map(({ file, digest }) => ({ file, digest })),
    matches: 0,
  };
}

/** The calls of the checklist and one outside an agent's list, each asked of the installed hook. */
async function probes(subject: AuditSubject, entry: ChecklistControl): Promise<[string, Examined][]> {
  const found = { denies: [] as Piece[], passes: [] as Piece[], outside: [] as Piece[] };
  const ofAgent = agentProbe(subject);
  const ofChecklist = (entry.probes ?? []).map((call) => checklistProbe(call, subject.project));
  for (const probe of [...ofChecklist, ...ofAgent]) {
    const result = await subject.hooks.probe(probe);
    const claim = ofAgent.includes(probe) ? 'outside' : probe.expected === 'blocked' ? 'denies' : 'passes';
    found[claim].push(...(result?.evidence ?? []));
    if (result?.evidence.some(({ timedOut }) => timedOut) === true) break;
  }
  const without = 'No hook could be started; start one that is not ours with --run-hooks.';
  const before = found.denies.length === 0 ? without : 'The hook did not answer an earlier probe.';
  return [
    ['denies', judged(found.denies, without)],
    ['outside', judged(found.outside, ofAgent.length === 0 ? 'No agent definition has a list that leaves a tool out.' : before)],
    ['passes', judged(found.passes, before)],
  ];
}

/** The project's own settings that go around the hook, or the files in which none was found. */
function surroundings({ places, project, workspace }: AuditSubject): Examined {
  const settings = [...surroundingsOf(claudeCode, places, workspace), ...serverSecrets(places)].filter(
    ({ level }) => level === 'problem',
  );
  const answering = otherHooks(claudeCode, places).flatMap(({ kind, ofProject: isTheirs, file, line }) =>
    isTheirs && kind === 'permission'
      ? [{ file, line, message: `A hook of the project in ${file}:${line} may answer permission questions for the person` }]
      : [],
  );
  const pieces = [...settings, ...answering].flatMap(({ file, line, message }): Piece[] => {
    const place = placeIn(project, shownFile(project, file), line);
    return place === null ? [] : [{ kind: 'file', supports: false, shows: excerptOf(`${message}.`), place, excerpt: '' }];
  });
  if (pieces.length > 0) return judged(pieces, '');
  const files = ['.claude/settings.json', '.claude/settings.local.json', '.mcp.json'];
  const scan: Piece<ScanEvidence> = {
    kind: 'scan',
    supports: true,
    shows: "No setting that goes around the hook was found in the project's files.",
    lookedFor: 'bypass modes, rules without a limit, wholesale MCP servers, other servers and programs, hooks, credentials',
    files: files.map((file) => ({ file, digest: placeIn(project, file, 1)?.digest ?? null })),
    matches: 0,
  };
  return judged([scan], '');
}

function checklistProbe({ id, expect, tool, input, permissionMode }: ProbeCall, project: string): Probe {
  const placed = Object.entries(input).map(([key, value]) => [
    key,
    typeof value === 'string' ? value.replaceAll('{project}', () => project) : value,
  ]);
  const call = { tool, input: Object.fromEntries(placed), toolUseId: `toolu_audit_${id}` };
  return { id, expected: expect, call: permissionMode === undefined ? call : { ...call, permissionMode } };
}

/** The first agent of this runner whose list leaves a tool out. */
function agentProbe({ workspace, project }: AuditSubject): readonly Probe[] {
  const { missingTools } = workspace.policy.agents;
  for (const agent of workspace.agents) {
    const isOurs = isReadBy(agent, 'claude-code') && isLimited(agent, missingTools);
    const call = isOurs ? outsideCall(agent, project) : null;
    if (call === null) continue;
    const { tool, input } = call;
    return [
      {
        id: 'outside-allowlist',
        expected: 'blocked',
        call: { tool, input, agent: agent.rawName, toolUseId: 'toolu_audit_outside-allowlist' },
      },
    ];
  }
  return [];
}
