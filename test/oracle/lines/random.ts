/** Numbers that look random and are the same for the same seed, so that a line can be made again from its seed and index. */
export class Random {
  private state: number;

  constructor(seed: number, index: number) {
    this.state = mix(mix(seed ^ 0x9e3779b9) + index) | 0;
  }

  /** An integer from 0 up to, not including, `limit`. */
  below(limit: number): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    return Math.floor((mix(this.state) / 4294967296) * limit);
  }

  /** True in `percent` of cases. */
  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  pick<T>(list: readonly [T, ...T[]] | readonly T[]): T {
    const one = list[this.below(list.length)];
    if (one === undefined) throw new Error('nothing to pick from');
    return one;
  }

  /** One of several, each as often as its weight says. */
  weighted<T>(list: readonly (readonly [weight: number, value: T])[]): T {
    let at = this.below(list.reduce((sum, [weight]) => sum + weight, 0));
    for (const [weight, value] of list) {
      at -= weight;
      if (at < 0) return value;
    }
    throw new Error('nothing to pick from');
  }
}

function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
