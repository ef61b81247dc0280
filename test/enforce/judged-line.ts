/** What a policy answers to a shell line in a folder of the disk. */
import type { ToolCall } from '../../src/call/tool-call.js';
import { decide } from '../../src/decide/decide.js';
import { analyse } from '../../src/decide/flow/analysis.js';
import { type CompiledPolicy, compilePolicy } from '../../src/decide/policy/compile.js';
import type { Decision } from '../../src/decide/ruling/decision.js';
import { gatherFacts } from '../../src/enforce/facts/gather.js';
import { composePolicy } from '../../src/policy/compose.js';
import { parsePolicy } from '../../src/policy/document.js';

/**
 * Decides about lines under a policy of the user's; `cwd` is the project's folder unless it is given.
 * @param rules the text of `policy.yaml`
 */
export function judgeUnder(rules: string): Judge {
  return judgeBy(rules, 'user');
}

/** The same under a policy of the project that a person trusts. */
export function judgeIn(rules: string): Judge {
  return judgeBy(rules, 'project');
}

type Judge = (project: string, command: string, cwd?: string) => Decision;

function judgeBy(rules: string, layer: 'user' | 'project'): Judge {
  const { document } = parsePolicy(rules, { file: 'policy.yaml', format: 'yaml', layer });
  if (document === null) throw new Error('the policy is none');
  const policy = compilePolicy(composePolicy([{ layer, trusted: true, document }], { repository: null }).policy);
  return (project, command, cwd = project) => decideOnDisk(policy, project, command, { cwd });
}

/** Decides about one line with the facts that a folder of the disk gives. */
export function decideOnDisk(
  policy: CompiledPolicy,
  project: string,
  command: string,
  { cwd = project, shell = 'union' }: { readonly cwd?: string; readonly shell?: ToolCall['shell'] } = {},
): Decision {
  const call: ToolCall = { tool: 'Bash', input: { command }, cwd, headless: false, shell };
  const analysis = analyse(call);
  const around = {
    project,
    home: '/home/nobody',
    platform: 'linux',
    environment: {},
    ownDirectories: [],
    budget: null,
    // The machine that runs the tests is busy with them.
    gitTime: 30_000,
  } as const;
  return decide(policy, call, gatherFacts(analysis, cwd, around), analysis);
}
