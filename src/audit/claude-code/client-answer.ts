/** What Claude Code would do with a tool call by the permission rules of its settings alone, without asking any policy or hook. */
import type { ToolCall } from '../../call/tool-call.js';
import { answerOf, type RulePlaces } from '../../lint/claude-rules/answer.js';
import type { Effect } from '../../rule/pattern/permission-rule.js';
import type { PermissionRules, RuleInForce } from './permission-rules.js';

export interface ClientAnswer {
  readonly decision: Effect;
  /** The rule that decides; null when no rule is about the whole call. */
  readonly rule: RuleInForce | null;
  /** One sentence. */
  readonly message: string;
}

const VERB: Readonly<Record<Effect, string>> = { allow: 'allows', ask: 'asks for', deny: 'denies' };

/** Never looser than the client, as far as the client was measured: a rule that nobody has seen at work is treated as asking. */
export function clientAnswer({ rules, mode }: PermissionRules, call: ToolCall, places: RulePlaces): ClientAnswer {
  const found = answerOf(rules, call, places);
  if (found?.effect === 'deny') return decided('deny', found.rule);
  const unknown = rules.find(
    ({ effect, canonical, reach }) => effect !== 'allow' && reach.kind === 'unread' && canonical === call.tool,
  );
  const answer =
    found?.effect !== 'ask' && unknown !== undefined
      ? {
          decision: 'ask' as const,
          rule: unknown,
          message: `the meaning of ${unknown.text} (${fileAndLine(unknown)}) to the client is unknown`,
        }
      : found === null
        ? withoutRule(mode)
        : decided(found.effect, found.rule);
  return answer.decision === 'ask' && call.headless
    ? { ...answer, decision: 'deny', message: `${answer.message}, and nobody can be asked in a headless run` }
    : answer;
}

/** Allow rules of a project apply only in a folder that the person trusts. */
function decided(effect: Effect, rule: RuleInForce): ClientAnswer {
  const ifTrusted = effect === 'allow' && (rule.scope === 'project' || rule.scope === 'local');
  const condition = ifTrusted ? ', if the person trusts the folder there' : '';
  return { decision: effect, rule, message: `${fileAndLine(rule)} ${VERB[effect]} ${rule.text}${condition}` };
}

/** The effects of the modes were measured with 2.1.329. */
function withoutRule(mode: string | null): ClientAnswer {
  const none = 'no rule in the settings covers this whole call';
  if (mode === 'bypassPermissions')
    return { decision: 'allow', rule: null, message: `${none}, and the mode bypassPermissions runs it` };
  if (mode === 'dontAsk') return { decision: 'deny', rule: null, message: `${none}, and the mode dontAsk denies it` };
  return {
    decision: 'ask',
    rule: null,
    message: `${none}; the client asks, unless it considers the call harmless${mode === null ? '' : ` or by its mode ${mode}`}`,
  };
}

function fileAndLine({ shownFile, span }: RuleInForce): string {
  return `${shownFile}:${span.line}`;
}
