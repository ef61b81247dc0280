/** Whether any option of a command could do harm: only then does it matter that a word might become an option. */
import type { CommandTable } from './table.js';

const known = new WeakMap<CommandTable, boolean>();

/** Whether the command only reads its operands, whatever they are: then only an option could do harm. */
export function onlyReads({ operands, subcommand, rating, effects }: CommandTable): boolean {
  if (subcommand !== null || operands === null || rating !== 'harmless') return false;
  const rules = [...operands.list, operands.rest, operands.last, operands.afterDashes];
  const areFiles = rules.every(
    (rule) => rule === null || (!rule.kind.startsWith('git-') && rule.effects.every((effect) => effect === 'read')),
  );
  return areFiles && effects.every(({ action }) => action === 'read');
}

/**
 * True when the command has an option that is not harmless, depends on its value, or does more than read; or when it writes its operands.
 */
export function hasRisk(table: CommandTable): boolean {
  let risk = known.get(table);
  if (risk === undefined) {
    risk = false;
    for (const option of table.options.values()) {
      const acts = option.effects.some((effect) => effect !== 'read');
      if (option.rating !== 'harmless' || option.checks.length > 0 || acts) risk = true;
    }
    const { operands } = table;
    const rules = operands === null ? [] : [...operands.list, operands.rest, operands.last, operands.afterDashes];
    if (rules.some((rule) => rule?.effects.some((effect) => effect !== 'read'))) risk = true;
    known.set(table, risk);
  }
  return risk;
}
