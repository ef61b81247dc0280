/** What holds of every input, whatever it is: laws between decisions on an input and on one that was made from it. */

import { byExitCode, type HookEvent } from '../../src/runner/hook/runner.js';
import { runnerNamed } from '../../src/runner/runners.js';
import type { ShellDialect } from '../../src/shell/syntax/types.js';
import type { Input } from './inputs.js';
import { ask, askAbout } from './world.js';

/** Seconds of processor time that one decision may take. */
const LONGEST = 1;

/** Which law an input breaks, in a sentence; null when it breaks none. */
export function brokenLaw(input: Input): string | null {
  try {
    const start = process.cpuUsage();
    const broken = input.kind === 'line' ? brokenByLine(input.text) : brokenByPayload(input.text, input.runner);
    const { user, system } = process.cpuUsage(start);
    const seconds = (user + system) / 1e6;
    return broken ?? (seconds > LONGEST ? `it takes ${seconds.toFixed(1)} s of processor time` : null);
  } catch (error) {
    return `it throws: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  }
}

const SHELLS: readonly [ShellDialect, ...ShellDialect[]] = ['bash', 'sh', 'zsh'];

/** Statements that nobody allowed or can see through, each complete in itself whatever follows. */
const BEFORE: readonly [string, ...string[]] = ['$x; ', 'eval "$x"; ', '$(P); ', '`P`\n', 'P | '];

/** One of several variants of a law, by the text alone: over many inputs each of them is tried. */
function oneOf<Variant>(variants: readonly [Variant, ...Variant[]], text: string): Variant {
  return variants[text.length % variants.length] ?? variants[0];
}

function brokenByLine(line: string): string | null {
  const strict = decisionOn(line, 'union');
  const plain = decisionOn(line, 'bash');
  if (strict === 'internal' || plain === 'internal') return 'its reason is an internal one';
  const shell = oneOf(SHELLS, line);
  if (strict === 'allow' && decisionOn(line, shell) !== 'allow') return `any shell may read it, but not ${shell}`;
  const sign = oneOf(['\0', '\r'], line);
  const middle = line.length >> 1;
  if (decisionOn(line.slice(0, middle) + sign + line.slice(middle), 'bash') === 'allow')
    return `${JSON.stringify(sign)} in the middle is allowed`;
  if (plain === 'allow') return brokenByAllowed(line);
  return plain === 'deny' ? brokenByDenied(line) : null;
}

/** An allow speaks of the whole line: with more in it that nobody allowed, it is no allow. */
function brokenByAllowed(line: string): string | null {
  const before = oneOf(BEFORE, line);
  if (decisionOn(before + line, 'bash') === 'allow') return `it is allowed behind ${JSON.stringify(before)}`;
  // A backslash at its end joins the next line to it.
  if (!/\\\s*$/.test(line) && decisionOn(`${line}\nP`, 'bash') === 'allow') return 'it is allowed with another command behind it';
  return null;
}

/** What is denied is not allowed with something harmless beside it. */
function brokenByDenied(line: string): string | null {
  const other = oneOf([`${line}; ls`, `${line}\nls`, `ls; ${line}`, `ls\n${line}`, `{ ${line}\n}`, `true && ${line}`], line);
  return decisionOn(other, 'bash') === 'allow' ? `it is denied, but ${JSON.stringify(other)} is allowed` : null;
}

function decisionOn(line: string, shell: ShellDialect): 'allow' | 'ask' | 'deny' | 'internal' {
  const { decision, reasons } = ask(line, shell);
  return reasons.some(({ code }) => code.startsWith('internal/')) ? 'internal' : decision;
}

/** The same denial in Claude Code's JSON, which others read alike, and in Gemini CLI's. */
const DENIALS = ['"permissionDecision":"deny","permissionDecisionReason":"m"', '"decision":"deny","reason":"m"'];

/** A payload is read as the hook reads it, and a call in it is decided; what is no call is never an answer that lets one through. */
function brokenByPayload(text: string, name: string): string | null {
  const runner = runnerNamed(name);
  if (runner === undefined) return `there is no runner ${name}`;
  let payload: unknown;
  try {
    payload = JSON.parse(text);
  } catch {
    return null;
  }
  const event: HookEvent = runner.parse(payload, 'union');
  if (event.kind === 'unreadable')
    return typeof event.why === 'string' && event.why !== '' ? null : 'it is unreadable without a reason';
  if (event.kind !== 'before-call') return null;
  const { decision, reasons } = askAbout(event.call);
  if (reasons.some(({ code }) => code.startsWith('internal/'))) return 'its reason is an internal one';
  if (reasons.length === 0) return 'its decision has no reason';
  // Where nothing proves that it arrives alone, a denial is told by the exit code.
  const { exitCode, stdout, stderr } = byExitCode(runner.answer({ effect: decision, grant: false, message: 'm', notice: null }));
  // What may stand beside the exit code is the same denial in words.
  const others = stdout !== '' && !DENIALS.some((words) => stdout.includes(words));
  if (decision === 'deny' && (exitCode !== 2 || stderr !== 'm\n' || others))
    return 'its denial is not one that every runner obeys';
  return null;
}
