/** `policy check`: decides whether a tool call may run. One call from the command line, or many from standard input. */

import { findRemedyDry, remedyLayer } from '../../author/remedy.js';
import { isFields } from '../../call/fields.js';
import { inputFromText } from '../../call/subject.js';
import { RUNNERS, SHELLS, type ToolCall } from '../../call/tool-call.js';
import { remedyLines } from '../../decide/remedy/remedy.js';
import type { RemedyLine } from '../../decide/remedy/types.js';
import type { Decision, Reason } from '../../decide/ruling/decision.js';
import { atMoment, hookSaid } from '../../enforce/enforce.js';
import { coverSecrets, maskDecision, maskRemedy } from '../../log/record/mask-decision.js';
import { Moment } from '../../project/surroundings.js';
import { decisionAsJson } from '../../report/json.js';
import { type DecisionTextOptions, decisionExplained, decisionLine, remedyText } from '../../report/text.js';
import { callAsRun } from '../../runner/runners.js';
import { modelOf, tellAgent } from '../agents/lookup.js';
import { checkBatch } from '../check/batch.js';
import type { CallTemplate } from '../check/call-line.js';
import { CLIENT_DIALECTS, checkAsClient } from '../check/client-check.js';
import { stdinHoldsHookPayload } from '../check/hook-payload.js';
import { judgedCall } from '../check/own-tools.js';
import { open, POLICY_OPTIONS, tellNotes } from '../place/open.js';
import { EXIT, type ExitCode, UsageError } from '../terminal/exit.js';
import { print, printProse, textOptions, warn } from '../terminal/terminal.js';
import { type Arguments, choiceFlag, switchFlag, textFlag, textFlags } from '../words/arguments.js';
import type { Takes } from '../words/command.js';

const CALL = 'The call:';
const CLIENT = 'Only the rules of Claude Code itself:';
const ANSWER = 'The answer:';
/** Completions that shells offer for TOOL; the tool names of every runner are accepted. */
const COMMON_TOOLS = ['Bash', 'Read', 'Write', 'Edit', 'Grep', 'Glob', 'WebFetch', 'WebSearch', 'Agent', 'Skill'];

export const takes: Takes = {
  arguments: {
    tool: { describe: 'The tool: Bash, Read, WebFetch, mcp__server__tool …', suggested: COMMON_TOOLS },
    input: { describe: 'Its input: the command, the path, the address …' },
  },
  options: {
    'input-json': { value: 'JSON', describe: 'The whole input as a JSON object, instead of INPUT', group: CALL },
    agent: { value: 'NAME', default: 'the main agent', describe: 'The agent that calls', group: CALL },
    runner: { choices: RUNNERS, describe: 'The coding agent that makes the call', group: CALL },
    shell: {
      choices: SHELLS,
      default: 'union: every shell in this list',
      describe: 'The shell that runs the command',
      group: CALL,
    },
    headless: { describe: 'Nobody can be prompted: ask becomes deny', group: CALL },
    batch: { describe: 'Read one call per line from standard input, as JSON; print one decision per line', group: CALL },
    dialect: {
      choices: CLIENT_DIALECTS,
      describe: "Use the client's own permission rules, as the client reads them, and no policy",
      group: CLIENT,
    },
    settings: {
      value: 'FILE',
      default: 'the files that the client reads here',
      describe: 'With --dialect: only the rules of this settings file; may be repeated',
      group: CLIENT,
    },
    explain: { describe: 'Show the stages, the commands in the line and every rule that matched', group: ANSWER },
    json: { describe: 'Print the decision as one line of JSON', group: ANSWER },
    ...POLICY_OPTIONS,
  },
};

/** Throws UsageError for contradicting flags and for policy files with mistakes. */
export async function run(args: Arguments): Promise<ExitCode> {
  const template = callTemplate(args);
  const client = choiceFlag(args, 'dialect', CLIENT_DIALECTS);
  if (client !== undefined)
    return await checkAsClient(args, (cwd) => oneCall(args, { ...template, runner: client, shell: 'bash' }, cwd));
  if (textFlags(args, 'settings').length > 0) throw new UsageError('--settings needs --dialect claude-code');
  if (switchFlag(args, 'batch')) return checkBatch(args, template);
  const payload = stdinHoldsHookPayload();
  const workspace = atMoment(open(args, template.agent !== undefined), new Moment());
  const call = oneCall(args, template, workspace.cwd);
  tellNotes(workspace.notes);
  if (call.agent !== undefined) tellAgent(workspace, call.agent);
  const { decision: found, about } = judgedCall(workspace, call);
  if (await payload) warn('stdin looks like a hook payload; did you mean `policy hook claude-code`?');
  const remedy = maskRemedy(findRemedyDry(workspace, about.call, about.decision));
  const decision = maskDecision(found, call.input);
  const offered = remedy === null ? [] : remedyLines(remedy, remedyLayer(workspace));
  const hook = hookSaid(found, workspace.policy, call.runner ?? null);
  if (switchFlag(args, 'json')) {
    await print(`${decisionAsJson(decision, remedy, offered, hook)}\n`);
    return EXIT[decision.decision];
  }
  const options = { ...textOptions(), model: modelOf(workspace, call.agent), hook };
  await printProse(rendered(args, decision, subjectText(args, call), offered, options));
  if (!switchFlag(args, 'explain') && refusalOf(decision) === undefined) await printProse(remedyText(offered));
  return EXIT[decision.decision];
}

function callTemplate(args: Arguments): CallTemplate {
  const agent = textFlag(args, 'agent');
  const runner = choiceFlag(args, 'runner', RUNNERS);
  return {
    headless: switchFlag(args, 'headless'),
    shell: choiceFlag(args, 'shell', SHELLS) ?? 'union',
    ...(agent !== undefined && { agent }),
    ...(runner !== undefined && { runner }),
  };
}

/** Returns the call of the command line; its input is INPUT as the tool's main field, or --input-json unchanged. */
function oneCall(args: Arguments, template: CallTemplate, cwd: string): ToolCall {
  const tool = textFlag(args, 'tool');
  if (tool === undefined || tool === '')
    throw new UsageError('Name a tool: policy check TOOL [INPUT], for example policy check Bash "git push"');
  const text = textFlag(args, 'input');
  // No tool of any runner has a blank in its name.
  if (text === undefined && /\s/.test(tool))
    throw new UsageError(`${JSON.stringify(tool)} is not a tool; did you mean: policy check Bash ${JSON.stringify(tool)}`);
  const json = textFlag(args, 'input-json');
  if (text !== undefined && json !== undefined) throw new UsageError('Give INPUT or --input-json, not both');
  const input = json !== undefined ? parsedInput(json) : text === undefined ? {} : inputFromText(tool, text, template.runner);
  return callAsRun({ ...template, tool, input, cwd });
}

function parsedInput(json: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw new UsageError('--input-json is not valid JSON; pass an object, for example {"command":"git push"}');
  }
  if (!isFields(value)) throw new UsageError('--input-json must be a JSON object, for example {"command":"git push"}');
  return value;
}

/** Returns the input as a person would write it: INPUT itself, the command, or the JSON; with secrets masked. */
function subjectText(args: Arguments, call: ToolCall): string | null {
  const command = call.input.command;
  const text = textFlag(args, 'input') ?? (typeof command === 'string' ? command : textFlag(args, 'input-json'));
  return text === undefined ? null : coverSecrets(text);
}

/** Returns the decision in the form that the flags ask for. */
function rendered(
  args: Arguments,
  decision: Decision,
  subject: string | null,
  offered: readonly RemedyLine[],
  options: DecisionTextOptions,
): string {
  if (switchFlag(args, 'explain')) return decisionExplained(decision, subject, options, offered);
  return `${decisionLine(refusalTold(decision), subject, options)}\n`;
}

const REFUSED_BY_AGENT: ReadonlySet<string> = new Set(['agent/tool-not-allowed', 'agent/no-tools']);

/** Returns the refusal of the agent itself; its sentence states what would allow the call. */
function refusalOf({ reasons }: Decision): Reason | undefined {
  return reasons.find(({ code }) => REFUSED_BY_AGENT.has(code));
}

/** Shortens the message about an agent's missing tool, whose details are printed on stderr. */
function refusalTold(decision: Decision): Decision {
  const refusal = refusalOf(decision);
  if (refusal === undefined) return decision;
  warn(refusal.message);
  return { ...decision, message: `Tool '${decision.call.tool}' not allowed for subagent '${decision.call.agent}'.` };
}
