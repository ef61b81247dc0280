/** A scope: one body of rules by which a call is judged (the policy, an agent's own permissions, an overlay). */
import type { ToolDescription } from '../../call/catalogue.js';
import type { RunnerId } from '../../call/tool-call.js';
import type { CustomTool, Mode, Policy, Preset } from '../../policy/policy.js';
import type { Effect } from '../../rule/pattern/permission-rule.js';
import type { CompiledRule, RuleSet } from '../../rule/rule-set.js';
import type { CallAnalysis } from '../flow/analysis.js';
import type { Place } from '../place/place.js';
import type { Ruling } from '../ruling/combine.js';
import type { Facts } from '../ruling/facts.js';
import type { Restrictions } from './spellings.js';

/** Data that only the policy stage has. */
export interface Guard {
  readonly except: RuleSet | null;
  /** The runner that makes the call; it keeps files of its own. */
  readonly runner?: RunnerId | undefined;
}

/**
 * The input of a stage's judgement; `guard` enables the checks that only the policy stage makes (built-in denials, protected
 * paths, secrets).
 */
export interface Scope {
  readonly rules: RuleSet;
  /** `rules`, followed by the preset's rules. */
  readonly bodies: readonly RuleSet[];
  /** The rule sets in `bodies` that ask or deny anything. */
  readonly restricting: readonly RuleSet[];
  readonly restrictions: Restrictions;
  readonly preset: { readonly definition: Omit<Preset, 'rules'>; readonly rules: RuleSet } | null;
  readonly guard: Guard | null;
  /** The ruling on a call, or on one command, that nothing else decided. */
  readonly fallback: (subject: FallbackSubject) => Ruling;
  readonly protectedBranches: readonly string[];
  /** Variables that the policy allows to be set before any command. */
  readonly harmlessVariables: readonly string[];
  readonly facts: Facts;
  readonly place: Place;
  readonly analysis: CallAnalysis;
  /** Collects every rule that matched, for the trace. */
  readonly matched: Set<CompiledRule>;
}

/**
 * The tool whose rules apply to a command, normally Bash. Rules for PowerShell apply to its own lines; there, rules for Bash only
 * ask and deny, and only what a preset allows in Bash is allowed too.
 */
export function commandTool({ analysis: { tool } }: Scope): 'Bash' | 'PowerShell' {
  return tool.canonical === 'PowerShell' ? 'PowerShell' : 'Bash';
}

/** The input of a fallback. */
export interface FallbackSubject {
  readonly tool: ToolDescription;
  /** For a shell: every effect is a proven, unguarded read inside the project. */
  readonly provenReads: boolean;
  /** For other tools: all paths are inside the project. */
  readonly inProject: boolean;
}

/** The fallback of a mode (in the terms of agent-code). */
export function modeRuling(mode: Mode, subject: FallbackSubject, whose: string): Ruling {
  const { tool } = subject;
  const reading = tool.access === 'read' || tool.harmless;
  const writing = tool.access === 'write';
  const reason = (message: string) => ({ code: `default/${mode}`, message });
  switch (mode) {
    case 'allow':
      return { effect: 'allow', rule: null, reason: reason(`${whose} allows what no rule covers`) };
    case 'deny':
      return { effect: 'deny', rule: null, reason: reason(`no rule of ${whose} allows this use of ${tool.canonical}`) };
    case 'plan':
      return reading
        ? { effect: 'allow', rule: null, reason: reason('plan mode allows reading') }
        : { effect: 'deny', rule: null, reason: reason('plan mode: only read-only operations are allowed') };
    case 'accept_edits':
    case 'auto':
      if (writing || (mode === 'auto' && (reading || subject.provenReads))) {
        return { effect: 'allow', rule: null, reason: reason(`mode ${mode} allows it`) };
      }
      return { effect: 'ask', rule: null, reason: reason(`no rule allows it, and mode ${mode} asks`) };
    case 'ask':
      return { effect: 'ask', rule: null, reason: reason(`no rule of ${whose} allows it`) };
  }
}

/**
 * The runner's own bookkeeping. No rule is given as its reason, so the runner is never told to skip its own dialog: the person
 * still approves the plan of ExitPlanMode and answers AskUserQuestion.
 */
function harmlessRuling({ tool, inProject }: FallbackSubject): Ruling | null {
  if (!tool.harmless || !inProject) return null;
  return {
    effect: 'allow',
    rule: null,
    reason: { code: 'default/harmless', message: `${tool.canonical} only keeps the agent's own notes` },
  };
}

/** Without an explicit default, reads inside the project and harmless bookkeeping are allowed, and everything else asks. */
function baseRuling(subject: FallbackSubject): Ruling {
  const { tool } = subject;
  const own = harmlessRuling(subject);
  if (own !== null) return own;
  if (tool.access === 'read' && subject.inProject && tool.mcp === null) {
    return {
      effect: 'allow',
      rule: null,
      reason: { code: 'default/project-read', message: 'reading inside the project needs no rule' },
    };
  }
  const why = tool.known ? '' : ', a tool that policy does not know';
  return {
    effect: 'ask',
    rule: null,
    reason: { code: 'default/ask', message: `no rule or preset allows ${tool.canonical}${why}` },
  };
}

/** The ruling of the policy's tier, or else of its default, on a call that no rule and no preset decided. */
export function rulingByTierOrDefault(
  policy: Pick<Policy, 'tiers' | 'default'>,
  customTools: ReadonlyMap<string, CustomTool>,
): (subject: FallbackSubject) => Ruling {
  return (subject) => {
    const custom = customTools.get(subject.tool.canonical.toLowerCase());
    const tier = custom?.tier ?? subject.tool.tier;
    const effect = policy.tiers[tier];
    if (effect !== undefined)
      return {
        effect,
        rule: null,
        reason: { code: `tier/${tier}`, message: tierMessage(subject.tool.canonical, tier, effect) },
      };
    return policy.default === null ? baseRuling(subject) : defaultRuling(policy, subject);
  };
}

function tierMessage(tool: string, tier: string, effect: Effect): string {
  const verb = { allow: 'allows', ask: 'asks about', deny: 'denies' }[effect];
  return `no rule matches, and the policy ${verb} ${tier} tools such as ${tool}`;
}

/**
 * A policy that asks by default means calls with an effect; a person need not be asked whether the agent may keep a list or ask a question.
 */
function defaultRuling({ default: mode }: Pick<Policy, 'default'>, subject: FallbackSubject): Ruling {
  const own = mode === 'ask' || mode === 'accept_edits' ? harmlessRuling(subject) : null;
  return own ?? modeRuling(mode ?? 'ask', subject, 'the policy');
}
