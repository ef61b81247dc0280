/** Judges the calls of one agent to one MCP server by the policy of a project, as the hook does: decided, logged, then answered. */

import type { ToolCall } from '../call/tool-call.js';
import { traitsOf } from '../call/traits.js';
import { analyse } from '../decide/flow/analysis.js';
import type { Decision } from '../decide/ruling/decision.js';
import { asAlike, decisive, isUnsaid } from '../enforce/alike.js';
import { governed } from '../enforce/enforce.js';
import { gatherFacts } from '../enforce/facts/gather.js';
import type { Environment } from '../enforce/facts/seen-environment.js';
import { enforceLive, type LiveContext, logResult } from '../enforce/live.js';
import { forgetSnapshots, type KeptSnapshots, openPolicy, type PreparePolicy } from '../enforce/snapshot/open.js';
import type { PolicyPlaces, PreparedPolicy } from '../enforce/snapshot/prepared-policy.js';
import { BUILD, VERSION } from '../generated/build.js';
import { failureLine, hookLine } from '../hook/hook-line.js';
import { coverSecrets, maskDecision } from '../log/record/mask-decision.js';
import { unreadable } from '../project/packages.js';
import { launchedRun, RUN_MARK } from '../run/launched.js';
import { processTable } from '../run/process-identity.js';
import type { HookContext } from '../runner/hook/runner.js';
import { hookAsked } from './hook-asked.js';
import type { Judged } from './protocol/methods.js';
import type { Judge, Verdict } from './session/session.js';

export interface JudgeOptions {
  readonly places: PolicyPlaces;
  /** The project and the folder of the policy as they are now; absent: those of `places`. */
  readonly stands?: () => Pick<PolicyPlaces, 'project' | 'folder'>;
  /** The server's name in rules. */
  readonly server: string;
  /** For this program's own tools, which rules name without a server: the calls of a runner's tools that do the same as one of theirs. */
  readonly alike?: (call: Judged) => readonly Judged[];
  /** The agent that the client works for, from the command line; null: the main agent. Nothing that a client sends changes it. */
  readonly agent: string | null;
  readonly environment: Environment;
  readonly cwd: string;
  /** The process that started this one. */
  readonly parent: number;
  readonly isUnheard: () => boolean;
  readonly compile: PreparePolicy;
  /** Gets a sentence about an end of a call that could not be logged. */
  readonly warn: (why: string) => void;
}

const NO_AGENT_STARTED = { id: null, background: false } as const;

/** Returns the judge of the calls to one server. */
export function judgeOf(options: JudgeOptions): Judge {
  const used = new Set<string>();
  const withPolicy = policyOf(options);
  return {
    judge: (call, meta) => {
      try {
        return judged(call, callIdOf(meta, options), options, withPolicy, used);
      } catch (error) {
        return refused(error instanceof Error ? error.message : String(error));
      }
    },
    isDenied: (call) => {
      try {
        return dry(call, options, withPolicy).decision === 'deny';
      } catch {
        return true;
      }
    },
    visible: (tools) => {
      try {
        return withPolicy((...opened) => new Set(tools.filter((tool) => isVisible(tool, options, ...opened))));
      } catch {
        // A call of what cannot be judged now says why.
        return new Set(tools);
      }
    },
  };
}

/** Whether the results of a search may show something of files; `here` is the search in these files alone, `alike` what does the same. */
export type MayShow = (here: Judged, alike: readonly Judged[]) => boolean;

/**
 * Returns a function that runs a search with the policy as it is now.
 * @param isAgreed a person agreed to the search: what no rule is about may be shown, too
 */
export function showingOf(options: JudgeOptions) {
  const withPolicy = policyOf(options);
  return <Result>(isAgreed: boolean, search: (mayShow: MayShow) => Result): Result =>
    withPolicy((prepared, context) =>
      search((here, alike) => {
        if (prepared.settings.mode === 'observe' && context.launched === null) return true;
        const { own, others } = decided(here, { ...options, alike: () => alike }, prepared, context);
        const all = [own, ...others];
        const isAllowed = all.some(({ decision }) => decision === 'allow') || isAgreed;
        return isAllowed && all.every((one) => one.decision === 'allow' || isUnsaid(one));
      }),
    );
}

/** The runner's id of a call, by which its hook and this program mean the same; null where the runner tells none. */
function callIdOf(meta: Judged['input'], { places }: JudgeOptions): string | null {
  const { mcpCallId } = traitsOf(places.runner);
  const id = mcpCallId === undefined ? undefined : meta[mcpCallId];
  return typeof id === 'string' ? id : null;
}

function refused(why: string): Verdict {
  return { effect: 'deny', text: failureLine(why), end: () => {} };
}

function judged(
  { tool, input, ...more }: Judged,
  toolUseId: string | null,
  options: JudgeOptions,
  withPolicy: WithPolicy,
  used: Set<string>,
): Verdict {
  const begin = microseconds();
  return withPolicy((prepared, opened) => {
    const call = { ...callOf(tool, input, options), ...more };
    const context = { ...opened, alike: (made: ToolCall) => alikeCalls({ tool, input }, made, options) };
    const said: HookContext = { ...UNTOLD, toolUseId };
    const { id, decision, told, observed, remedy, recorded } = enforceLive(prepared, call, said, context);
    // The hook knows nothing of definitions.
    const isAskedHere = call.redefined !== undefined;
    const isAnswered =
      told === 'ask' && !isAskedHere && hookAsked(options.places, decision.call.canonical, input, toolUseId, used);
    const effect = isAnswered || observed ? 'allow' : told;
    return {
      effect,
      decided: decision.decision,
      // Nobody is told about a call that passes.
      text: effect === 'allow' ? '' : lineFor(decision, call, id, remedy),
      end: (result, message) => {
        const outcome = { result, message, microseconds: microseconds() - begin, started: NO_AGENT_STARTED, recorded };
        try {
          logResult(prepared, call, said, outcome, { ...context, time: Date.now() });
        } catch (error) {
          // The call was made; the next one is denied, since its decision cannot be logged either.
          options.warn(error instanceof Error ? error.message : String(error));
        }
      },
    };
  });
}

/** What a payload would say: an MCP client tells nothing about its session. */
const UNTOLD: HookContext = { session: null, toolUseId: null, model: null, permissionMode: null };

function callOf(tool: string, input: Judged['input'], { server, alike, agent, cwd, places }: JudgeOptions): ToolCall {
  return {
    tool: alike === undefined ? `mcp__${server}__${tool}` : tool,
    input,
    runner: places.runner,
    ...(agent !== null && { agent }),
    cwd,
    headless: false,
    shell: 'union',
  };
}

function lineFor(decision: Decision, { input }: ToolCall, id: string, remedy: string | null): string {
  return hookLine(maskDecision({ ...decision, commands: [] }, input), id, remedy && coverSecrets(remedy));
}

/** The calls that do the same as one of this program's own tools. The agent's definition is about the tool itself. */
function alikeCalls(call: Judged, { agent: _, within: __, runner: ___, ...made }: ToolCall, { alike }: JudgeOptions): ToolCall[] {
  return (alike?.(call) ?? []).map((one) => ({ ...made, ...one }));
}

/** Reason codes of a denial that depends on the input of a call. */
const BY_INPUT: ReadonlySet<string> = new Set(['rule/uncertain', 'input/unseen', 'input/widening', 'agent/beyond-grant']);

/** Whether some input could be allowed: false where the tool is denied by its name, by the agent's definition or by a rule. */
function isVisible(tool: string, options: JudgeOptions, prepared: PreparedPolicy, context: LiveContext): boolean {
  const { own, others } = decided({ tool, input: {} }, options, prepared, context);
  const { decision, rule, reasons } = together(own, others);
  // A rule with a pattern denies some inputs only.
  if (decision !== 'deny' || rule?.text.includes('(') === true || reasons.some(({ code }) => BY_INPUT.has(code))) return true;
  const names = [own, ...others].map(({ call }) => call.canonical);
  const isAllowedAtTimes = prepared.compiled.bodies.some((rules) => names.some((name) => rules.hasAllow(name)));
  return isAllowedAtTimes && reasons.some(({ code }) => code === 'default/deny');
}

/** Decides without logging. */
function dry(call: Judged, options: JudgeOptions, withPolicy: WithPolicy): Decision {
  return withPolicy((prepared, context) => {
    const { own, others } = decided(call, options, prepared, context);
    return together(own, others);
  });
}

function together(own: Decision, others: readonly Decision[]): Decision {
  const other = decisive(
    own,
    others.map((decision) => ({ decision })),
  );
  return asAlike(own, other?.decision);
}

/** Returns the decision about a call, and those about calls that do the same. */
function decided(given: Judged, options: JudgeOptions, prepared: PreparedPolicy, { launched, packagePolicy }: LiveContext) {
  const { tool, input, ...more } = given;
  const made = { ...callOf(tool, input, options), ...more };
  const agent = made.agent ?? launched?.agent ?? undefined;
  const decisionOf = (call: ToolCall) => {
    const analysis = analyse(call);
    const facts = gatherFacts(analysis, call.cwd, prepared.surroundings);
    return governed({ compiled: prepared.compiled, ...(packagePolicy && { packagePolicy }) }, call, facts, analysis).decision;
  };
  const own = decisionOf(agent === undefined ? made : { ...made, agent });
  return { own, others: alikeCalls(given, made, options).map(decisionOf) };
}

/** Uses the policy as it is now, and the run that this process belongs to; throws when either is not known. */
type WithPolicy = <Result>(use: (prepared: PreparedPolicy, context: LiveContext) => Result) => Result;

function policyOf({ environment, parent, isUnheard, compile, places: first, stands }: JudgeOptions): WithPolicy {
  const kept: KeptSnapshots = new Map();
  const openIn = (places: PolicyPlaces) => openPolicy({ places, environment, build: BUILD, now: Date.now, compile, kept });
  return (use) => {
    const own = { ...first, ...stands?.() };
    const { stateDirectory, project } = own;
    const launched = launchedRun(stateDirectory, project, parent, environment[RUN_MARK], () => processTable(process.platform));
    const places = launched === null ? own : { ...own, run: { preset: launched.preset } };
    const opened = openIn(places);
    if (!opened.ok) {
      const [first] = opened.problems;
      const where = first === undefined ? '' : ` ${first.source.file}:${first.source.line}: ${first.message}`;
      const fix = 'let a person repair it and check with `policy doctor`';
      throw new Error(`the policy cannot be used:${where.replace(/\.$/, '')}; ${fix}`);
    }
    try {
      return use(opened.prepared, {
        ...{ stateDirectory, version: VERSION, time: Date.now(), microseconds, isUnheard, launched },
        packagePolicy: (folder) => {
          const below = openIn({ ...places, folder });
          return below.ok ? below.prepared.compiled : unreadable(opened.prepared.compiled, folder);
        },
      });
    } catch (error) {
      forgetSnapshots(kept);
      throw error;
    } finally {
      opened.close();
    }
  };
}

function microseconds(): number {
  return Number(process.hrtime.bigint() / 1000n);
}
