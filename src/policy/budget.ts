/** Token arithmetic of a session: one total and limits per agent, neither ever exceeded. */

/** Whether it is a number of tokens: whole and not negative. */
function isAmount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

/**
 * Counts what a session has used. An agent without a limit of its own is bound only by the total. Amounts that are not non-negative whole
 * numbers are refused (`RangeError` for limits, `false` for consumption): a budget fails closed. Source: the budget vectors of seed 004.
 */
export class BudgetLedger {
  private readonly total: number;
  private spent = 0;
  private readonly limits = new Map<string, number>();
  private readonly spentBy = new Map<string, number>();

  /** @param total tokens of the session; null means unlimited */
  constructor(total: number | null, limits: Readonly<Record<string, number>> = {}) {
    if (total !== null && !isAmount(total)) throw new RangeError('A budget is a whole number of tokens from 0.');
    this.total = total ?? Number.POSITIVE_INFINITY;
    this.rebalance(limits);
  }

  /** Sets one agent's limit, which includes what the agent has already used. */
  limit(agent: string, tokens: number): void {
    if (!isAmount(tokens)) throw new RangeError('A limit is a whole number of tokens from 0.');
    this.limits.set(agent, tokens);
  }

  /** Sets several limits at once; agents that are not named keep their limits. */
  rebalance(limits: Readonly<Record<string, number>>): void {
    for (const [agent, tokens] of Object.entries(limits)) this.limit(agent, tokens);
  }

  /** Takes `tokens` for an agent if its limit and the total both permit it; if false, takes nothing. */
  consume(agent: string, tokens: number): boolean {
    if (!isAmount(tokens) || tokens > this.remaining(agent)) return false;
    this.spent += tokens;
    this.spentBy.set(agent, this.used(agent) + tokens);
    return true;
  }

  /** Tokens used so far, by all agents or by one. */
  used(agent?: string): number {
    return agent === undefined ? this.spent : (this.spentBy.get(agent) ?? 0);
  }

  /** Tokens that may still be used, by all agents or by one; Infinity without any limit. */
  remaining(agent?: string): number {
    const inTotal = this.total - this.spent;
    const limit = agent === undefined ? undefined : this.limits.get(agent);
    return Math.max(0, limit === undefined ? inTotal : Math.min(inTotal, limit - this.used(agent)));
  }
}
