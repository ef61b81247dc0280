/** Rules that say "run it unseen". */
import type { PermissionRule } from '../rule/permission-rule.js';

/** Names under which runners know their shell tool, lower case. */
const SHELL_TOOLS = ['bash', 'powershell', 'shell', 'local_shell', 'exec_command', 'run_shell_command', 'run_terminal_cmd'];

/** True for a rule that covers a shell tool with any command at all: `*`, `Bash`, `Bash(*)`, `Bash(**)`, `B*(:*)`. */
export function isTotalRule({ tool, pattern }: PermissionRule): boolean {
  const anything = pattern === null || /^:?\*+$/.test(pattern);
  return anything && SHELL_TOOLS.some((name) => coversName(tool.toLowerCase(), name));
}

/** `*` in a tool stands for any letters; the literal pieces between have to follow each other in the name. */
function coversName(tool: string, name: string): boolean {
  const [first = '', ...rest] = tool.split('*');
  if (rest.length === 0) return tool === name;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  const last = rest.pop() ?? '';
  for (const piece of rest) {
    const found = name.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}
