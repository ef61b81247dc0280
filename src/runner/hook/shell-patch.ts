/**
 * Patches in a shell line. Codex takes a line such as `apply_patch <<'EOF' … EOF`, also behind `cd FOLDER &&`, out of the shell's
 * hands and applies the patch by itself (0.169, seen with `npm run e2e`): the line has to be judged as the edits that it makes.
 */
import { posix } from 'node:path';
import type { ToolCall } from '../../call/tool-call.js';

/** A folder without anything that a shell would expand, `apply_patch`, and a here-document; the rest is the body with its end. */
const OPENING =
  /^[ \t\n]*(?:cd[ \t]+(?:'([^'\n]+)'|"([^"$`\\\n]+)"|([\w./@+,:-]+))[ \t]*&&[ \t]*)?apply_?patch[ \t]*<<[ \t]*(?:'(\w+)'|"(\w+)"|(\w+))[ \t]*\n/;
/** What a shell would expand in a here-document without quotes. */
const EXPANDED = /[$`\\]/;

/** The call of the runner's own patch tool that a shell call amounts to; the call itself when it is no such line. */
export function patchInShellLine(call: ToolCall): ToolCall {
  const { command } = call.input;
  if (typeof command !== 'string' || !/apply_?patch/.test(command.slice(0, LONGEST_OPENING))) return call;
  const opening = OPENING.exec(command.slice(0, LONGEST_OPENING));
  if (opening === null) return call;
  const [head, single, double, bare, quoted, alsoQuoted, plain] = opening;
  const body = bodyOf(command.slice(head.length), quoted ?? alsoQuoted ?? plain ?? '');
  if (body === null || (plain !== undefined && EXPANDED.test(body))) return call;
  const folder = single ?? double ?? bare;
  // A folder named like an option, or one that `cd` would look up elsewhere, is not followed.
  if (folder !== undefined && /^[-~+]/.test(folder)) return call;
  const cwd = folder === undefined ? call.cwd : posix.isAbsolute(folder) ? folder : posix.join(call.cwd, folder);
  return { ...call, tool: 'apply_patch', input: { command: body }, cwd };
}

/** Characters within which the line has to come to its here-document. */
const LONGEST_OPENING = 4_096;

/** The text before the line that ends the here-document; null when more than blanks follows it, or when it is no whole patch. */
function bodyOf(text: string, delimiter: string): string | null {
  const lines = text.split('\n');
  const end = lines.indexOf(delimiter);
  if (end < 0 || lines.slice(end + 1).some((line) => line.trim() !== '')) return null;
  const body = lines.slice(0, end).join('\n');
  const patch = body.trim();
  return patch.startsWith('*** Begin Patch\n') && patch.endsWith('\n*** End Patch') ? `${body}\n` : null;
}
