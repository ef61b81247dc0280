/** Command lines that provably only read, and that may therefore run where nothing limits them. */

import { flatten } from '../../command/model/called-commands.js';
import { analyse } from '../../decide/flow/analysis.js';

/** One command of plain words; a pattern would stand for unknown options and operands. */
const PLAIN = /^[a-z][\w.-]*(?: [\w@%+=:,./-]+)*$/;

/** Whether the grammar knows every word of the command, and the command only reads. */
export function readsOnly(command: string, { project }: { readonly project: string }): boolean {
  const text = command.trim();
  if (!PLAIN.test(text)) return false;
  const call = { tool: 'Bash', input: { command: text }, cwd: project, headless: false, shell: 'union' } as const;
  const commands = analyse(call).lines.flatMap(({ tree }) => flatten(tree.commands));
  return (
    commands.length > 0 &&
    commands.every(
      ({ name, inner, verdict }) =>
        name !== null &&
        inner.length === 0 &&
        verdict.known &&
        verdict.issues.length === 0 &&
        verdict.conditions.length === 0 &&
        verdict.effects.every(({ action }) => action === 'read'),
    )
  );
}
