/** All runners, by name. */
import type { RunnerId, ToolCall } from '../call/tool-call.js';
import { agentCode } from './agent-code.js';
import { claudeCode } from './claude-code.js';
import { codex } from './codex.js';
import { copilotCli } from './copilot-cli.js';
import { cursor } from './cursor.js';
import { geminiCli } from './gemini-cli.js';
import { opencode } from './opencode.js';
import { qwenCode } from './qwen-code.js';
import { type Runner, shellOf } from './runner.js';

/** Each in a function: a hook makes only its own ready. */
const RUNNERS: Readonly<Record<RunnerId, () => Runner>> = {
  'claude-code': () => claudeCode,
  codex: () => codex,
  'gemini-cli': () => geminiCli,
  'copilot-cli': () => copilotCli,
  opencode: () => opencode,
  'qwen-code': () => qwenCode,
  cursor: () => cursor,
  'agent-code': () => agentCode,
};

export const RUNNER_NAMES = Object.keys(RUNNERS) as readonly RunnerId[];

/** The runner of that name; undefined when there is none. */
export function runnerNamed(name: string): Runner | undefined {
  return Object.hasOwn(RUNNERS, name) ? RUNNERS[name as RunnerId]() : undefined;
}

export function allRunners(): readonly Runner[] {
  return RUNNER_NAMES.map((name) => RUNNERS[name]());
}

/** The call that is made when the runner of `call` is given it (Runner.asRun), by the shell that this runner uses where nobody told. */
export function callAsRun(call: ToolCall): ToolCall {
  const runner = call.runner === undefined ? undefined : runnerNamed(call.runner);
  if (runner === undefined) return call;
  const made = runner.asRun?.(call) ?? call;
  const shell = shellOf(runner, made.shell, !made.cwd.startsWith('/'));
  return shell === made.shell ? made : { ...made, shell };
}
