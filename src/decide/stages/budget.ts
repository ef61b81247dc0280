/** The last stage of a decision: whether tokens, calls and time are left for the session and the agent. */
import { normalizeName } from '../../agent/name.js';
import type { Budget } from '../../policy/policy.js';
import type { BudgetFacts } from '../ruling/facts.js';
import type { StageInput, StageVerdict } from './policy.js';

const UNITS = ['tokens', 'calls', 'seconds'] as const;
type Unit = (typeof UNITS)[number];
const PER_AGENT = { tokens: 'perAgent', calls: 'perAgentCalls', seconds: 'perAgentSeconds' } as const;

/** Denies a call when a limit is reached; the reason names the policy key that sets it. */
export function budgetStage({ compiled, call, facts }: StageInput): StageVerdict {
  const { budget } = compiled.policy;
  const run = facts.budget?.runSpent;
  if (run !== undefined) return denied('budget/run', `the run has used ${run}; it ends now`);
  for (const unit of UNITS) {
    const limit = budget[unit];
    const used = facts.budget?.[unit] ?? 0;
    if (limit !== null && used >= limit) return spentVerdict('session', unit, used, limit, `budget.${unit}`);
  }
  for (const agent of callersOf(call)) {
    const spent = agentSpent(agent, budget, facts.budget);
    if (spent !== null) return spent;
  }
  return WITHIN_BUDGET;
}

/** The calling agent, and the agents that it may be a child of. */
function callersOf({ agent, within = [] }: StageInput['call']): readonly string[] {
  return agent === undefined ? within : [agent, ...within];
}

function agentSpent(agent: string, budget: Budget, spent: BudgetFacts | null): StageVerdict | null {
  for (const unit of UNITS) {
    const key = PER_AGENT[unit];
    const limits = entriesForAgent(budget[key], agent);
    const [first, ...more] = limits;
    if (first === undefined) continue;
    const [name, limit] = more.reduce((least, entry) => (entry[1] < least[1] ? entry : least), first);
    const used = entriesForAgent(spent?.[key] ?? {}, agent).reduce((sum, [, value]) => sum + value, 0);
    if (used >= limit) return spentVerdict(`agent ${agent}`, unit, used, limit, `budget.${key}.${name}`);
  }
  return null;
}

/** The entries for an agent, however its name is spelled. */
function entriesForAgent(
  values: Readonly<Record<string, number>>,
  agent: string,
): readonly (readonly [name: string, value: number])[] {
  const wanted = normalizeName(agent);
  return Object.entries(values).filter(([name]) => name === agent || (wanted !== '' && normalizeName(name) === wanted));
}

const WITHIN_BUDGET: StageVerdict = {
  decision: 'allow',
  rule: null,
  reasons: [{ code: 'budget/left', message: 'within the budget' }],
  commands: [],
};

function spentVerdict(whose: string, unit: Unit, used: number, limit: number, key: string): StageVerdict {
  // A transcript records a turn only after it ends, so more may already have been used.
  const late = unit === 'tokens' ? ' by the end of the last turn' : '';
  const message = `the ${unit} of the ${whose} are used up: ${used} of ${limit}${late}; a person can raise ${key} in the policy`;
  return denied(`budget/${unit}`, message);
}

function denied(code: string, message: string): StageVerdict {
  return { decision: 'deny', rule: null, reasons: [{ code, message }], commands: [] };
}
