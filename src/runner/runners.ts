/** All runners, by name. */
import { RUNNERS, type RunnerId, type ToolCall } from '../call/tool-call.js';
import { type Runner, shellOf } from './hook/runner.js';
import { hooks } from './registry/hook.js';

/** The runner of that name; undefined when there is none. */
export function runnerNamed(name: string): Runner | undefined {
  return Object.hasOwn(hooks, name) ? hooks[name as RunnerId]() : undefined;
}

export function allRunners(): readonly Runner[] {
  return RUNNERS.map((name) => hooks[name]());
}

/** The call that is made when the runner of `call` is given it (Runner.asRun), by the shell that this runner uses where nobody told. */
export function callAsRun(call: ToolCall): ToolCall {
  const runner = call.runner === undefined ? undefined : runnerNamed(call.runner);
  if (runner === undefined) return call;
  const made = runner.asRun?.(call) ?? call;
  const shell = shellOf(runner, made.shell, !made.cwd.startsWith('/'));
  return shell === made.shell ? made : { ...made, shell };
}
