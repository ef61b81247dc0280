/** `policy mcp inspect`: what a person should know of a server's tools before an agent uses them. */
import { runnerTools } from '../../call/catalogue.js';
import { ASSUMED_RUNNER, RUNNERS, type RunnerId } from '../../call/tool-call.js';
import type { Decision } from '../../decide/ruling/decision.js';
import { enforceDry } from '../../enforce/enforce.js';
import { PinCheck } from '../../gateway/pins/check.js';
import { schemaMistake } from '../../gateway/session/validator.js';
import { VERSION } from '../../generated/build.js';
import { TOOL_RULES, type ToolFinding, toolFindings } from '../../lint/mcp/tool-definitions.js';
import { SEVERITIES } from '../../lint/text/finding.js';
import { sha256 } from '../../log/record/sha256.js';
import type { Workspace } from '../../project/workspace.js';
import { findingsAsSarif } from '../../report/findings/sarif.js';
import { type InspectedTool, type Inspection, inspectionAsText } from '../../report/mcp-inspection.js';
import { jsonLine } from '../../report/printing/escape.js';
import { openAt, problemLine, tellMode, tellNotes } from '../place/open.js';
import { EXIT, type ExitCode, UsageError } from '../terminal/exit.js';
import { print, textOptions } from '../terminal/terminal.js';
import { type Arguments, choiceFlag, textFlag } from '../words/arguments.js';
import { type Target, targetOf, toolsOf } from './target.js';

export const INSPECT_FORMATS = ['text', 'json', 'sarif'] as const;

/** Exit code 1 if a finding is an error. Throws UsageError for a policy with mistakes, and a server that cannot be asked. */
export async function run(args: Arguments): Promise<ExitCode> {
  const format = choiceFlag(args, 'format', INSPECT_FORMATS) ?? 'text';
  const target = targetOf(args, 'inspect');
  const agent = textFlag(args, 'agent');
  const opened = openAt(args, agent !== undefined, target.project);
  if (!opened.ok) throw new UsageError(...opened.problems.map(problemLine));
  tellMode(opened.workspace.policy);
  tellNotes(opened.workspace.notes);
  const inspection = await inspected(target, opened.workspace, choiceFlag(args, 'runner', RUNNERS), agent);
  if (format === 'json') await print(jsonLine({ version: 1, ...inspection }));
  else await print(format === 'sarif' ? asSarif(inspection) : inspectionAsText(inspection, textOptions()));
  return inspection.findings.some(({ severity }) => severity === 'error') ? EXIT.deny : EXIT.allow;
}

async function inspected(
  target: Target,
  workspace: Workspace,
  runner: RunnerId = ASSUMED_RUNNER,
  agent?: string,
): Promise<Inspection> {
  const { server, pin } = target;
  const { tools, instructions, title } = await toolsOf(target);
  const check = new PinCheck(server, () => pin);
  check.take(tools);
  const known = RUNNERS.flatMap((id) => runnerTools(id).map(({ name }) => name));
  const findings = toolFindings({ server, tools, instructions }, { known, schemaMistake });
  const about = (name: string): InspectedTool => {
    const change = check.changeOf(name);
    const call = {
      tool: `mcp__${server}__${name}`,
      input: {},
      runner,
      cwd: workspace.cwd,
      headless: false,
      shell: 'union',
    } as const;
    const decision = enforceDry(workspace, {
      ...call,
      ...(agent !== undefined && { agent }),
      ...(change !== null && { redefined: change }),
    });
    return {
      name,
      decision: decision.decision,
      byArguments: dependsOnArguments(workspace, decision),
      pin: pin === null ? 'none' : change === null ? 'same' : pin !== 'damaged' && !pin.tools.has(name) ? 'new' : 'changed',
      change,
      findings: worstFirst(findings.filter(({ tool }) => tool === name)),
    };
  };
  const names = [...new Set(tools.flatMap(({ name }) => (typeof name === 'string' ? [name] : [])))];
  const all = names.map(about).sort((one, other) => weight(one) - weight(other));
  const pinned = pin === null || pin === 'damaged' ? null : pin.day;
  const gone =
    pinned === null || pin === null || pin === 'damaged' ? [] : [...pin.tools.keys()].filter((name) => !names.includes(name));
  return { server, title, pinned, gone, tools: all, findings: worstFirst(findings) };
}

/** Whether a rule speaks of some arguments of the tool only. */
function dependsOnArguments({ compiled }: Workspace, { call: { canonical } }: Decision): boolean {
  return compiled.bodies.some((rules) => {
    const isAllowedAtTimes = rules.hasAllow(canonical) && !rules.total(canonical).some(({ rule }) => rule.effect === 'allow');
    return isAllowedAtTimes || rules.hasPatterned(canonical) || rules.fields(canonical).length > 0;
  });
}

function worstFirst(findings: readonly ToolFinding[]): readonly ToolFinding[] {
  return [...findings].sort((one, other) => SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity));
}

/** The worst tool has the smallest weight; among equals, what the policy allows comes first. */
function weight({ findings: [worst], pin, decision }: InspectedTool): number {
  const found = worst === undefined ? SEVERITIES.length : SEVERITIES.indexOf(worst.severity);
  return found * 100 + (pin === 'changed' ? 0 : pin === 'new' ? 10 : 20) + ['allow', 'ask', 'deny'].indexOf(decision);
}

/** There is no file: each tool is in the place of one. */
function asSarif({ server, findings }: Inspection): string {
  const located = findings.map(({ rule, severity, message, tool }) => ({
    ...({ ruleId: rule, severity, message, confidence: 'medium', persona: 'reviewer', related: [], fix: null } as const),
    help: TOOL_RULES[rule].fix,
    location: { file: ['mcp', server, ...(tool === null ? [] : [tool])].join('/'), line: 1, column: 1, endLine: 1, endColumn: 1 },
  }));
  const rules = Object.entries(TOOL_RULES).map(([id, docs]) => ({
    ...({ id, severity: 'warning', confidence: 'medium', persona: 'reviewer' } as const),
    docs: { ...docs, bad: '', good: '' },
  }));
  const fingerprintOf = ({
    ruleId,
    location,
    message,
  }: (typeof located)[number] | { ruleId: string; location: { file: string }; message: string }) =>
    sha256(Buffer.from(`${ruleId}\0${location.file}\0${message}`)).slice(0, 16);
  return findingsAsSarif({ findings: located, rules, fingerprintOf }, VERSION, 'policy-mcp');
}
