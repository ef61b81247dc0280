/** What is known of the tools of an MCP server, on one screen. */
import type { ToolFinding } from '../lint/mcp/tool-definitions.js';
import type { Effect } from '../rule/pattern/permission-rule.js';
import { escapeText } from './printing/escape.js';
import { painter, type TextOptions } from './printing/paint.js';
import { wrap } from './printing/wrap.js';

export interface InspectedTool {
  readonly name: string;
  /** The answer to a call without arguments. */
  readonly decision: Effect;
  /** Rules speak of some arguments only, so that other calls may be answered otherwise. */
  readonly byArguments: boolean;
  /** `none`: the server is not pinned. */
  readonly pin: 'none' | 'same' | 'changed' | 'new';
  /** What changed, as a clause. */
  readonly change: string | null;
  readonly findings: readonly ToolFinding[];
}

export interface Inspection {
  /** The name in rules. */
  readonly server: string;
  /** The server's own name and version. */
  readonly title: string | null;
  /** The day; null: it is not pinned. */
  readonly pinned: string | null;
  /** Tools that were pinned and are not there any more. */
  readonly gone: readonly string[];
  /** The worst first. */
  readonly tools: readonly InspectedTool[];
  readonly findings: readonly ToolFinding[];
}

/** Returns the tools, each with its findings below it. Everything from the server is escaped. */
export function inspectionAsText(
  { server, title, pinned, gone, tools, findings }: Inspection,
  { color, width }: TextOptions,
): string {
  const paint = painter(color);
  const count = tools.length === 1 ? '1 tool' : `${tools.length} tools`;
  const below = (found: readonly ToolFinding[]) =>
    found.flatMap(({ severity, message }) => {
      const [first = '', ...more] = wrap(escapeText(message), Math.max(30, width - severity.length - 6));
      return [`    ${paint.mark(severity, severity)}: ${first}`, ...more.map((line) => `      ${line}`)];
    });
  const longest = Math.max(0, ...tools.map(({ name }) => escapeText(name).length));
  const rows = tools.flatMap(({ name, decision, byArguments, pin, change, findings: own }) => {
    const answer = `${paint.effect(decision, decision)}${byArguments ? ', by its arguments' : ''}`;
    const said = pin === 'same' || pin === 'none' ? [] : [`    ${paint.mark('warning', pin)}: ${escapeText(change ?? '')}`];
    return [`  ${escapeText(name).padEnd(longest)}  ${answer}`, ...said, ...below(own)];
  });
  const lines = [
    `${server}: ${count}${title === null ? '' : ` (${escapeText(title)})`}, ${pinned === null ? 'not pinned' : `pinned on ${pinned}`}`,
    ...below(findings.filter(({ tool }) => tool === null)),
    ...rows,
    ...(gone.length === 0 ? [] : [`  gone since then: ${escapeText(gone.join(', '))}`]),
  ];
  return `${lines.join('\n')}\n`;
}
