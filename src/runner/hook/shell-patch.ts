/**
 * Patches in shell command lines. Codex intercepts a line such as `apply_patch <<'EOF' … EOF`, also after `cd FOLDER &&`, before the shell
 * sees it, and applies the patch itself (0.169, seen with `npm run e2e`): such a line has to be judged as the edits it makes.
 */
import { posix } from 'node:path';
import type { ToolCall } from '../../call/tool-call.js';

/**
 * Matches an optional `cd` to a folder without anything that a shell would expand, `apply_patch`, and the start of a
 * here-document; what follows the match is the body and its end.
 */
const OPENING =
  /^[ \t\n]*(?:cd[ \t]+(?:'([^'\n]+)'|"([^"$`\\\n]+)"|([\w./@+,:-]+))[ \t]*&&[ \t]*)?apply_?patch[ \t]*<<[ \t]*(?:'(\w+)'|"(\w+)"|(\w+))[ \t]*\n/;
/** Characters that a shell would expand in a here-document with an unquoted delimiter. */
const EXPANDED = /[$`\\]/;

/** Returns the patch tool call that a shell call amounts to, or the call itself if its line is no such patch. */
export function patchInShellLine(call: ToolCall): ToolCall {
  const { command } = call.input;
  if (typeof command !== 'string' || !/apply_?patch/.test(command.slice(0, LONGEST_OPENING))) return call;
  const opening = OPENING.exec(command.slice(0, LONGEST_OPENING));
  if (opening === null) return call;
  const [head, single, double, bare, quoted, alsoQuoted, plain] = opening;
  const body = bodyOf(command.slice(head.length), quoted ?? alsoQuoted ?? plain ?? '');
  if (body === null || (plain !== undefined && EXPANDED.test(body))) return call;
  const folder = single ?? double ?? bare;
  // A folder that looks like an option, or that `cd` would look up elsewhere, is not followed.
  if (folder !== undefined && /^[-~+]/.test(folder)) return call;
  const cwd = folder === undefined ? call.cwd : posix.isAbsolute(folder) ? folder : posix.join(call.cwd, folder);
  return { ...call, tool: 'apply_patch', input: { command: body }, cwd };
}

/** Maximum number of characters up to the beginning of the here-document. */
const LONGEST_OPENING = 4_096;

/**
 * Returns the text before the line that ends the here-document; null if anything but blanks follows that line, or if the text is
 * not a whole patch.
 */
function bodyOf(text: string, delimiter: string): string | null {
  const lines = text.split('\n');
  const end = lines.indexOf(delimiter);
  if (end < 0 || lines.slice(end + 1).some((line) => line.trim() !== '')) return null;
  const body = lines.slice(0, end).join('\n');
  const patch = body.trim();
  return patch.startsWith('*** Begin Patch\n') && patch.endsWith('\n*** End Patch') ? `${body}\n` : null;
}
