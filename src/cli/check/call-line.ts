/** One line of `check --batch`: a tool call as JSON. */
import { isFields } from '../../call/fields.js';
import { RUNNERS, type RunnerId, type ToolCall } from '../../call/tool-call.js';

/** Values for every call from the flags of the command line; a line may override them. */
export type CallTemplate = Pick<ToolCall, 'agent' | 'runner' | 'headless' | 'shell'>;

/** A call as stated in a line; missing fields come from the command line. */
export interface CallLine {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly agent?: string;
  readonly runner?: RunnerId;
  readonly cwd?: string;
  readonly headless?: boolean;
}

const KEYS: readonly string[] = ['tool', 'input', 'agent', 'runner', 'cwd', 'headless'];

/**
 * Parses `{"tool":…,"input":{…},"agent"?,"runner"?,"cwd"?,"headless"?}`. Refuses anything else, including unknown keys: a
 * misspelled `agent` must not be judged as the main agent.
 * @returns the call, or one sentence that states what is wrong with the line
 */
export function callFromLine(text: string): CallLine | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'the line is not JSON';
  }
  if (!isFields(value)) return 'the line is not a JSON object';
  const stranger = Object.keys(value).find((key) => !KEYS.includes(key));
  if (stranger !== undefined) return `the key ${JSON.stringify(stranger)} is unknown; known are ${KEYS.join(', ')}`;
  const { tool, input, agent, runner, cwd, headless } = value;
  if (typeof tool !== 'string' || tool === '') return '"tool" must be a non-empty text';
  if (!isFields(input)) return '"input" must be an object';
  if (!isTextOrAbsent(agent)) return '"agent" must be a non-empty text';
  if (!isTextOrAbsent(cwd)) return '"cwd" must be a non-empty text';
  if (runner !== undefined && !isRunner(runner)) return `"runner" must be one of ${RUNNERS.join(', ')}`;
  if (headless !== undefined && typeof headless !== 'boolean') return '"headless" must be true or false';
  return {
    tool,
    input,
    ...(agent !== undefined && { agent }),
    ...(runner !== undefined && { runner }),
    ...(cwd !== undefined && { cwd }),
    ...(headless !== undefined && { headless }),
  };
}

function isTextOrAbsent(value: unknown): value is string | undefined {
  return value === undefined || (typeof value === 'string' && value !== '');
}

function isRunner(value: unknown): value is RunnerId {
  return RUNNERS.some((runner) => runner === value);
}
