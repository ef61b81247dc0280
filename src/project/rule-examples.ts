/** Whether a rule, alone, matches an example: what `match` and `notMatch` are verified with when a policy is loaded. */

import { identifyTool, toolEffects } from '../call/catalogue.js';
import { inputFromText } from '../call/subject.js';
import { flatten } from '../command/model/called-commands.js';
import { analyse } from '../decide/flow/analysis.js';
import { locate } from '../rule/path/location.js';
import type { PermissionRule } from '../rule/pattern/permission-rule.js';
import { toolsCovered } from '../rule/pattern/tool-coverage.js';
import { globMatch } from '../rule/pattern/wildcard.js';
import { compileAll, compileRules } from '../rule/rule-set.js';

/** A place that no example depends on: paths of examples are taken relative to it. */
const NOWHERE = { project: '/project', home: '/home/user', platform: 'linux' as const };

/**
 * True when the rule meets the example: a command for shell rules, else the tool's main input. An allow rule must cover every
 * command of it; an ask or deny rule need meet one.
 */
export function ruleMatches(rule: PermissionRule, example: string): boolean {
  const tool = rule.tool === '*' ? 'Bash' : rule.tool;
  const { canonical } = identifyTool(tool);
  if (rule.effect !== 'allow' && example !== '' && toolEffects().shells.includes(canonical)) {
    // Most examples are decided as they stand; a line is read for the others.
    const [{ meets } = { meets: [] }] = compileAll([rule], toolsCovered);
    if (meets.some((glob) => globMatch(glob, example))) return true;
    if (lacksWords(meets, example)) return false;
  }
  const rules = compileRules([rule], toolsCovered);
  if (rules.total(canonical).length > 0) return true;
  const analysis = analyse({ tool, input: inputFromText(tool, example), cwd: NOWHERE.project, headless: false, shell: 'bash' });
  if (analysis.lines.length > 0) {
    const commands = analysis.lines.flatMap((line) => flatten(line.tree.commands));
    const meets = commands.map((command) => command.invocation.argv.map((word) => word.value));
    if (rule.effect !== 'allow')
      return (
        meets.some((words) => rules.meetsCommand('Bash', words).length > 0) ||
        rules.meetsText('Bash', 'command', example).length > 0
      );
    return (
      meets.length > 0 &&
      commands.every((command, index) => {
        const words = meets[index] ?? [];
        const known = words.filter((word) => word !== null);
        return known.length === words.length && rules.coversCommand('Bash', known, command.verdict.issues).length > 0;
      })
    );
  }
  return analysis.subjects.subjects.some((subject) => {
    if (subject.kind === 'path') {
      const absolute = subject.value.startsWith('/')
        ? subject.value
        : subject.value.startsWith('~/')
          ? `${NOWHERE.home}${subject.value.slice(1)}`
          : `${NOWHERE.project}/${subject.value}`;
      const location = locate(absolute, NOWHERE);
      return rule.effect === 'allow'
        ? rules.coversPath(canonical, location).length > 0
        : rules.meetsPath(canonical, [location]).length > 0;
    }
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

/** A line without quotes and expansions: whatever commands are in it, their words are pieces of it, but for the `echo` of a bare xargs. */
const PLAIN = /^[\w ./:=@-]+$/;

/** True when a plain line lacks some text that every command which a rule with these globs meets holds. */
function lacksWords(meets: readonly string[], line: string): boolean {
  if (!PLAIN.test(line) || line.includes('xargs')) return false;
  return meets.length > 0 && meets.every((glob) => glob.split(/[*? ]+/).some((piece) => !line.includes(piece)));
}
