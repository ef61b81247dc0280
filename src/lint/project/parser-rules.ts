/** The lint rules that do nothing but report what a parser found: each is a row of rules/parser-rules.yaml. */
import { rulesOfParsers } from '../files/problem-codes.js';
import { fromProblems, type LintRule } from './rule.js';

export const parserRules: readonly LintRule[] = rulesOfParsers.map(({ codes: _, ...info }) => ({
  ...info,
  check: fromProblems(info.id),
}));
