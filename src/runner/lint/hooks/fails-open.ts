import { traitsOf } from '../../../call/traits.js';
import { startsPolicyHook } from '../../../lint/hooks/own-line.js';
import { scriptWords } from '../../../lint/hooks/script-words.js';
import { type HookCommand, type HookHandler, handlersOf, isBeforeCall } from '../../../lint/project/handlers.js';
import { forHookFiles, type LintRule, type Report } from '../../../lint/project/rule.js';
import { pointerTo } from '../../../policy/read/pointer.js';

export const failsOpen: LintRule = {
  id: 'hooks/fails-open',
  severity: 'warning',
  confidence: 'medium',
  docs: {
    what: 'A hook that is there to stop calls lets them pass when it fails, or always.',
    why: 'Only exit code 2 with a reason on standard error stops a call with every runner; after any other code, or a hook that ends too late, the call runs.',
    bad: '{ "hooks": { "PreToolUse": [{ "hooks": [{ "type": "command", "command": "python3 ~/guard.py || true" }] }] } }\n',
    good: '{ "hooks": { "PreToolUse": [{ "hooks": [{ "type": "command", "command": "python3 ~/guard.py || exit 2", "onFailure": "block" }] }] } }\n',
    fix: 'Let the hook end with 2 for everything but a yes, and wait for it.',
  },
  check: forHookFiles((file) => oneByDefault(handlersOf(file).filter(isBeforeCall).flatMap(check))),
};

/** Reports a weakness that all hooks of a file have only once. */
function oneByDefault(reports: readonly Report[]): Report[] {
  const first = reports.find(({ severity }) => severity === 'info');
  return reports.filter((report) => report.severity !== 'info' || report === first);
}

/** Words that people use for something that is there to stop calls. */
const GUARD =
  /(?:^|[^a-z])(?:guard|guards|guardrail\w*|block|blocks|blocker|deny|denies|protect\w*|prevent\w*|forbid\w*|firewall|gatekeeper|gate|policy|restrict\w*|security|safety|sandbox)(?![a-z])/i;
/** Code that only a hook that stops calls contains. */
const STOPS = /\bexit 2\b|"?(?:permissionDecision|decision|permission)"?\s*:\s*"?(?:deny|block)\b/;
/** A line whose exit code is not the guard's. */
const SWALLOWED = /(?:\|\||;)\s*(?:true|:|exit 0)[\s;]*$/;
/** With `exec` the guard replaces the shell, so what follows it runs only if there is no guard. */
const HANDS_OVER = /(?:^|[;&|]|\bthen\b|\belse\b)\s*exec\s/;
/** Code that prints the reason to standard error. */
const SPEAKS = /(?:>&2|1>&2|\/dev\/stderr)/;

function check(handler: HookHandler): Report[] {
  const { data, event, runner, fields, pointer } = handler;
  const [command] = handler.commands;
  // Our own line fails closed on its own; hooks/incomplete reports its gaps.
  if (command === undefined || handler.commands.some(({ text }) => startsPolicyHook(text))) return [];
  const plain = command.text.replaceAll('\\', '');
  const isGuard = STOPS.test(plain) || GUARD.test(plain);
  if (!isGuard) return [];
  const name = traitsOf(runner).title;
  const at = data.valueSpan(command.pointer);
  const asynchronous = (['async', 'asyncRewake'] as const).find((key) => fields[key] === true);
  if (asynchronous !== undefined && runner === 'claude-code') {
    const message = `With "${asynchronous}" ${name} does not wait for this hook of ${event}, so it cannot stop a call.`;
    return [{ at: data.valueSpan(pointerTo(pointer, asynchronous)), message }];
  }
  const code = codeOf(handler, command, plain);
  if (code !== null) return [{ at, message: `${code} (${name}, ${event}).`, confidence: STOPS.test(plain) ? 'high' : 'medium' }];
  return closes(handler) ? [] : [openByDefault(handler, at)];
}

/** Returns the problem that the line itself shows; null if there is none. */
function codeOf({ runner }: HookHandler, command: HookCommand, plain: string): string | null {
  const { text } = command;
  // A denial in JSON holds whatever follows it; `if …; then … exit 2; fi; exit 0` ends with consent.
  const denies = /"?(?:permissionDecision|decision|permission)"?\s*:\s*"?(?:deny|block)\b/.test(plain);
  const stops = /\bexit 2\b/.test(text);
  if (!denies && !stops && SWALLOWED.test(text) && !HANDS_OVER.test(text))
    return 'This hook always ends with 0, so its code stops no call';
  if (runner === 'copilot-cli' || denies) return null;
  if (/\bexit 1\b/.test(text) && !stops && scriptWords(command).length === 0)
    return 'This hook ends with 1, which is a hook that failed, and the call runs; 2 stops it';
  const isDumb = stops && !SPEAKS.test(text) && runner !== 'claude-code' && runner !== 'cursor';
  return isDumb ? 'This hook ends with 2 and says nothing on standard error, and then the call runs' : null;
}

/** True if the runner is told to block the call when the hook fails. */
function closes({ runner, fields }: HookHandler): boolean {
  if (runner === 'claude-code') return fields.onFailure === 'block' || fields.type !== 'command';
  if (runner === 'cursor') return fields.failClosed === true;
  return true;
}

function openByDefault({ runner, event }: HookHandler, at: Report['at']): Report {
  const key = runner === 'cursor' ? '"failClosed": true' : '"onFailure": "block"';
  const message = `When this hook of ${event} fails or takes too long, ${traitsOf(runner).title} runs the call.`;
  return { at, message, help: `Add ${key} where the version of the runner has it.`, severity: 'info' };
}
