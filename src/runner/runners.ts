/** All runners, by name. */
import { RUNNERS, type RunnerId, type ToolCall } from '../call/tool-call.js';
import { type Runner, shellOf } from './hook/runner.js';
import { hooks } from './registry/hook.js';

/** Returns the runner of that name; undefined if there is none. */
export function runnerNamed(name: string): Runner | undefined {
  return Object.hasOwn(hooks, name) ? hooks[name as RunnerId]() : undefined;
}

export function allRunners(): readonly Runner[] {
  return RUNNERS.map((name) => hooks[name]());
}

/** Returns the call that the runner of `call` really makes (Runner.asRun); if no shell was stated, with the shell that this runner uses. */
export function callAsRun(call: ToolCall): ToolCall {
  const runner = call.runner === undefined ? undefined : runnerNamed(call.runner);
  if (runner === undefined) return call;
  const made = runner.asRun?.(call) ?? call;
  const shell = shellOf(runner, made.shell, !made.cwd.startsWith('/'));
  return shell === made.shell ? made : { ...made, shell };
}
