/**
 * `apply_patch` inside a larger shell line under Codex, which puts a program with that name on the PATH: it changes files that are not
 * operands of the line. A line with nothing but a patch has already been read as a call of the patch tool (src/runner/hook/shell-patch.ts).
 */

import { calledAs, flatten } from '../../command/model/called-commands.js';
import type { CallAnalysis } from '../flow/analysis.js';
import type { Ruling } from '../ruling/combine.js';

const NAMES: ReadonlySet<string> = new Set(['apply_patch', 'applypatch']);
const MESSAGE =
  "apply_patch in a longer line is not read as a patch; use the apply_patch tool, or only the patch: apply_patch <<'EOF'";

/** The denial of the first such command; null if there is none, and for other runners. */
export function patchProgramRuling(runner: string | undefined, { lines }: CallAnalysis): Ruling | null {
  if (runner !== 'codex') return null;
  for (const { subject, tree } of lines) {
    if (!/apply_?patch/.test(subject.value)) continue;
    const found = flatten(tree.commands).find((command) => NAMES.has(calledAs(command) ?? ''));
    if (found === undefined) continue;
    return { effect: 'deny', rule: null, reason: { code: 'patch/in-line', message: MESSAGE, span: found.invocation.span } };
  }
  return null;
}
