/** Token arithmetic of a session: one total, limits per agent, nothing ever taken beyond either. */

/** A number of tokens: whole and not negative. */
function isAmount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

/**
 * Keeps count of what a session used. An agent without a limit of its own is bound by the total only.
 * Amounts that are not whole numbers from 0 are refused (`RangeError` for limits, `false` for consumption): a budget fails closed.
 * Source: the budget vectors of seed 004.
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

  /** Sets one agent's limit; what it used already counts against it. */
  limit(agent: string, tokens: number): void {
    if (!isAmount(tokens)) throw new RangeError('A limit is a whole number of tokens from 0.');
    this.limits.set(agent, tokens);
  }

  /** Sets several limits at once; agents that are not named keep theirs. */
  rebalance(limits: Readonly<Record<string, number>>): void {
    for (const [agent, tokens] of Object.entries(limits)) this.limit(agent, tokens);
  }

  /** Takes `tokens` for an agent if both its limit and the total still hold them; false takes nothing. */
  consume(agent: string, tokens: number): boolean {
    if (!isAmount(tokens) || tokens > this.remaining(agent)) return false;
    this.spent += tokens;
    this.spentBy.set(agent, this.used(agent) + tokens);
    return true;
  }

  /** Tokens used so far, by everyone or by one agent. */
  used(agent?: string): number {
    return agent === undefined ? this.spent : (this.spentBy.get(agent) ?? 0);
  }

  /** Tokens that may still be used, by everyone or by one agent; Infinity without any limit. */
  remaining(agent?: string): number {
    const inTotal = this.total - this.spent;
    const limit = agent === undefined ? undefined : this.limits.get(agent);
    return Math.max(0, limit === undefined ? inTotal : Math.min(inTotal, limit - this.used(agent)));
  }
}
