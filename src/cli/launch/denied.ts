/** Finds what would have allowed calls that a run was denied only because no one could answer a prompt. */
import { findRemedyDry, remedyLayer } from '../../author/remedy.js';
import { RUNNERS, type ToolCall } from '../../call/tool-call.js';
import { remedyLine } from '../../decide/remedy/remedy.js';
import type { Remedy } from '../../decide/remedy/types.js';
import { enforceDry } from '../../enforce/enforce.js';
import type { DecisionRecord } from '../../log/record/record.js';
import type { Workspace } from '../../project/workspace.js';
import { openSilently } from '../place/open.js';
import type { Arguments } from '../words/arguments.js';

/**
 * Returns for each denied call what would allow it, as `policy check` would report it now: the rest of a sentence; null if that
 * cannot be determined.
 * @param args of the run
 */
export function adviceFor(args: Arguments, denied: readonly DecisionRecord[]): readonly (string | null)[] {
  try {
    const workspace = openSilently({ ...args, runner: undefined }, true);
    return denied.map((record) => adviceOn(record, workspace));
  } catch {
    // The policy was changed meanwhile, and can no longer be read.
    return denied.map(() => null);
  }
}

function adviceOn(record: DecisionRecord, workspace: Workspace): string | null {
  const call = callOf(record, workspace);
  if (call === null) return null;
  const remedy = findRemedyDry(workspace, call, enforceDry(workspace, call));
  return remedy && adviceText(remedy, workspace);
}

function adviceText(remedy: Remedy, workspace: Workspace): string {
  const line = remedyLine(remedy, remedyLayer(workspace));
  return remedy.kind === 'sentence' ? line : `to allow it: ${line}`;
}

/** Rebuilds the call; null if the record does not contain all of it. */
function callOf(
  { tool, input, cwd, agent, runner, masked, truncated, erased }: DecisionRecord,
  workspace: Workspace,
): ToolCall | null {
  const isWhole = masked.length + truncated.length + erased.length === 0;
  if (!isWhole || typeof input !== 'object' || input === null || Array.isArray(input)) return null;
  const by = RUNNERS.find((id) => id === runner);
  return {
    ...{ tool, input: { ...input }, cwd: cwd ?? workspace.cwd, headless: true, shell: 'union' },
    ...(agent !== null && { agent }),
    ...(by !== undefined && { runner: by }),
  };
}
