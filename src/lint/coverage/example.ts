/** Whether the example of a finding is true: how a rule alone decides a command. */
import { type CompiledPolicy, compilePolicy } from '../../decide/policy/compile.js';
import { composePolicy } from '../../policy/compose.js';
import type { PermissionRule } from '../../rule/pattern/permission-rule.js';
import { decidedInPlainRepository } from './plain-repository.js';

/** A policy without any rules or settings. */
const { policy: silent } = composePolicy([], { repository: null });

const compiled = new WeakMap<PermissionRule, CompiledPolicy>();

/** True if the rule is the reason why the command is allowed, asked about or denied in a plain repository. */
export function decidesCommand(rule: PermissionRule, command: string): boolean {
  const policy = compiled.get(rule) ?? compilePolicy({ ...silent, rules: [rule] }, [], null);
  compiled.set(rule, policy);
  const { decision, reasons } = decidedInPlainRepository(policy, command);
  return decision === rule.effect && reasons.some(({ code }) => code === `rule/${rule.effect}`);
}
