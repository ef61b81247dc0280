import type { RunnerId } from '../../../call/tool-call.js';
import { traitsOf } from '../../../call/traits.js';
import { type HookHandler, handlersOf } from '../../../lint/project/handlers.js';
import { forHookFiles, type LintRule, type Report } from '../../../lint/project/rule.js';
import { pointerTo } from '../../../policy/read/pointer.js';

export const timeoutUnit: LintRule = {
  id: 'hooks/timeout-unit',
  severity: 'warning',
  confidence: 'medium',
  docs: {
    what: 'The timeout of a hook is given in another unit than its runner reads.',
    why: 'Claude Code, Codex, Copilot CLI, Cursor and Qwen Code count seconds, Gemini CLI milliseconds; of a command Qwen Code reads 1000 and more as milliseconds. A hook that has 30 ms is ended before it answers, and the call runs; one that has 5,000 seconds blocks the session for hours when it hangs.',
    bad: '{ "hooks": { "PreToolUse": [{ "hooks": [{ "type": "command", "command": "./guard.sh", "timeout": 5000 }] }] } }\n',
    good: '{ "hooks": { "PreToolUse": [{ "hooks": [{ "type": "command", "command": "./guard.sh", "timeout": 5 }] }] } }\n',
    fix: 'Give the timeout in the unit of the runner.',
  },
  check: forHookFiles((file) => handlersOf(file).flatMap(check)),
};

const MILLISECONDS: ReadonlySet<RunnerId> = new Set(['gemini-cli']);
/** Of a command it reads seconds below 1000, and milliseconds from there on (0.24.4). */
const EITHER: ReadonlySet<RunnerId> = new Set(['qwen-code']);

function check({ data, runner, fields, pointer }: HookHandler): readonly Report[] {
  const key = ['timeout', 'timeoutSec'].find((name) => typeof fields[name] === 'number');
  const value = key === undefined ? undefined : fields[key];
  if (key === undefined || typeof value !== 'number') return [];
  if (EITHER.has(runner) && fields.type === 'command') return [];
  const at = data.valueSpan(pointerTo(pointer, key));
  const name = traitsOf(runner).title;
  if (MILLISECONDS.has(runner)) {
    if (value >= 1000 || value <= 0) return [];
    const message = `${name} reads milliseconds: after ${value} ms this hook is ended, and the call runs without it.`;
    // Half a second may be intended; less is not enough for a program to start.
    return [
      { at, message, help: `Write ${value * 1000} for ${value} seconds.`, ...(value >= 500 && { severity: 'info' as const }) },
    ];
  }
  // Timeouts of an hour or more in seconds are whole hours; numbers of milliseconds are mostly multiples of 500.
  if (value < 1000 || (value % 500 !== 0 && value < 10_000) || (value % 3600 === 0 && value <= 86_400)) return [];
  const message = `${name} reads seconds: ${value} of them are ${spanOfTime(value)}.`;
  return [{ at, message, help: `Write ${value / 1000} for ${value} milliseconds.` }];
}

function spanOfTime(seconds: number): string {
  return seconds < 7200 ? `${Math.round(seconds / 60)} minutes` : `${Math.round(seconds / 3600)} hours`;
}
