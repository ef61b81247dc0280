/** Whether a rule, alone, matches an example: used to verify `match` and `notMatch` when a policy is loaded. */

import { identifyTool, toolEffects } from '../call/catalogue.js';
import { inputFromText } from '../call/subject.js';
import type { Subject } from '../call/tool-call.js';
import { flatten } from '../command/model/called-commands.js';
import { type FieldComparison, namesFields } from '../decide/call/fields.js';
import { analyse, type ReadLine } from '../decide/flow/analysis.js';
import { locate } from '../rule/path/location.js';
import type { Effect, PermissionRule } from '../rule/pattern/permission-rule.js';
import { toolsCovered } from '../rule/pattern/tool-coverage.js';
import { globMatch } from '../rule/pattern/wildcard.js';
import { compileAll, compileRules, type RuleSet } from '../rule/rule-set.js';

/** A place that no example depends on: paths of examples are relative to it. */
const NOWHERE = { project: '/project', home: '/home/user', platform: 'linux' as const };

/**
 * True if the rule matches the example: a command for shell rules, else the tool's main input. An allow rule must cover every
 * command in it; an ask or deny rule only has to match one.
 */
export function ruleMatches(rule: PermissionRule, example: string): boolean {
  const tool = rule.tool === '*' ? 'Bash' : rule.tool;
  const { canonical } = identifyTool(tool);
  if (rule.effect !== 'allow' && example !== '' && toolEffects().shells.includes(canonical)) {
    // Most examples are decided without parsing; only the others are parsed as a command line.
    const [{ meets } = { meets: [] }] = compileAll([rule], toolsCovered);
    if (meets.some((glob) => globMatch(glob, example))) return true;
    if (lacksWords(meets, example)) return false;
  }
  const rules = compileRules([rule], toolsCovered);
  if (rules.total(canonical).length > 0) return true;
  const analysis = analyse({ tool, input: inputFromText(tool, example), cwd: NOWHERE.project, headless: false, shell: 'bash' });
  const named = rules.fields(canonical);
  if (named.some((one) => namesFields(one, analysis, COMPARISON))) return true;
  if (analysis.lines.length > 0) {
    const shell = analysis.tool.mcp === null ? 'Bash' : canonical;
    const matches = (line: ReadLine) => matchesLine(rules, shell, line, rule.effect);
    return rule.effect === 'allow' ? analysis.lines.every(matches) : analysis.lines.some(matches);
  }
  return analysis.subjects.subjects.some((subject) => {
    if (subject.kind === 'path') return matchesPath(rules, canonical, subject, rule.effect);
    if (subject.kind === 'url')
      return (
        (rule.effect === 'allow' ? rules.coversUrl(canonical, subject.value) : rules.meetsUrl(canonical, subject.value)).length >
        0
      );
    return (
      (rule.effect === 'allow'
        ? rules.coversText(canonical, subject.kind, subject.value)
        : rules.meetsText(canonical, subject.kind, subject.value)
      ).length > 0
    );
  });
}

const COMPARISON: FieldComparison = {
  isInProject: () => true,
  path: (values, subject, effect) => matchesPath(values, 'Edit', subject, effect),
  line: (values, line, effect) => matchesLine(values, 'Bash', line, effect),
};

function matchesPath(rules: RuleSet, tool: string, { value }: Subject, effect: Effect): boolean {
  const absolute = value.startsWith('/')
    ? value
    : value.startsWith('~/')
      ? `${NOWHERE.home}${value.slice(1)}`
      : `${NOWHERE.project}/${value}`;
  const location = locate(absolute, NOWHERE);
  return (effect === 'allow' ? rules.coversPath(tool, location) : rules.meetsPath(tool, [location])).length > 0;
}

function matchesLine(rules: RuleSet, tool: string, { tree, subject }: ReadLine, effect: Effect): boolean {
  const commands = flatten(tree.commands);
  const meets = commands.map((command) => command.invocation.argv.map((word) => word.value));
  if (effect !== 'allow')
    return (
      meets.some((words) => rules.meetsCommand(tool, words).length > 0) ||
      rules.meetsText(tool, 'command', subject.value).length > 0
    );
  return (
    meets.length > 0 &&
    commands.every((command, index) => {
      const words = meets[index] ?? [];
      const known = words.filter((word) => word !== null);
      return known.length === words.length && rules.coversCommand(tool, known, command.verdict.issues).length > 0;
    })
  );
}

/** A line without quotes and expansions: whatever its commands are, their words are parts of it, except for the `echo` of a bare xargs. */
const PLAIN = /^[\w ./:=@-]+$/;

/** True if a plain line lacks a text that is in every command matched by a rule with these globs. */
function lacksWords(meets: readonly string[], line: string): boolean {
  if (!PLAIN.test(line) || line.includes('xargs')) return false;
  return meets.length > 0 && meets.every((glob) => glob.split(/[*? ]+/).some((piece) => !line.includes(piece)));
}
