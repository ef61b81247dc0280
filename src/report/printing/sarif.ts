/** What our SARIF 2.1.0 logs have in common. */
import { escapeText, jsonLine } from './escape.js';

type Severity = 'error' | 'warning' | 'info';

export const SARIF_LEVEL: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'note' };
export const SARIF_SEVERITY: Readonly<Record<Severity, string>> = { ...SARIF_LEVEL, info: 'recommendation' };

/** Returns the log of one run. */
export function sarifLog(run: object): string {
  return jsonLine({ $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] });
}

/** `McpPlainHttp` for `mcp/plain-http`. */
export function sarifName(id: string): string {
  return id.replace(/(?:^|[/-])(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** In a message `[text](target)` would be a link; square brackets get a backslash (3.11.6). */
export function sarifMessage(text: string) {
  return { text: escapeText(text).replaceAll(/[[\]]/g, '\\$&') };
}
