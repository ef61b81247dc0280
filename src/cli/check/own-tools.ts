/** Calls of the tools of `policy mcp serve`, judged as that does. */
import type { ToolCall } from '../../call/tool-call.js';
import type { Decision } from '../../decide/ruling/decision.js';
import { asAlike, decisive } from '../../enforce/alike.js';
import { enforceDry } from '../../enforce/enforce.js';
import { alikeCalls } from '../../gateway/serve/tools.js';
import type { Workspace } from '../../project/workspace.js';

/** A decision, and the call that a remedy has to be about, with the decision about that one. */
export interface JudgedCall {
  readonly decision: Decision;
  readonly about: { readonly call: ToolCall; readonly decision: Decision };
}

/** Decides a call; a tool that a runner says to be its own is not one of those. */
export function judgedCall(workspace: Workspace, call: ToolCall): JudgedCall {
  const own = enforceDry(workspace, call);
  const { agent: _, within: __, ...made } = call;
  const same = call.runner === undefined ? alikeCalls(call).map((one): ToolCall => ({ ...made, ...one })) : [];
  const other = decisive(
    own,
    same.map((one) => ({ call: one, decision: enforceDry(workspace, one) })),
  );
  return { decision: asAlike(own, other?.decision), about: other ?? { call, decision: own } };
}
