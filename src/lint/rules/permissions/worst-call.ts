import { shown } from '../../../policy/sentences.js';
import { meetingLanguage } from '../../../rule/inclusion/command-language.js';
import { accepts, type Language } from '../../../rule/inclusion/language.js';
import { bashLanguages } from '../../claude-rules/bash.js';
import { COMPOUND } from '../../claude-rules/coverage.js';
import { claudeEntries } from '../../claude-rules/entries.js';
import { prefixRules } from '../../codex/rules-file.js';
import { judgeFor } from '../../commands/judge.js';
import { type OpenGrant, openGrants } from '../../commands/open-grants.js';
import { type WorstCall, worstCall } from '../../commands/worst-call.js';
import type { ConfigFile, LintFile } from '../../files/files.js';
import type { LintProject } from '../../project/project.js';
import type { IsReported, LintRule, Report } from '../../project/rule.js';

export const worstCallAllowed: LintRule = {
  id: 'permissions/worst-call',
  severity: 'warning',
  persona: 'reviewer',
  general: true,
  docs: {
    what: 'An allow rule with a wildcard also allows a call that writes, runs or deletes what nobody would expect, or that cannot be undone. The message shows one: this program looks for the worst call that the rule lets through.',
    why: 'A rule is read by its words and applied by its wildcard: `git log *` also matches `git log --output=FILE`, which writes any file, and a rule against `--force` does not stop `-f`.',
    bad: '{ "permissions": { "allow": ["Bash(git log:*)"] } }\n',
    good: '{ "permissions": { "allow": ["Bash(git log:*)"], "deny": ["Bash(git log* --output*)"] } }\n',
    fix: 'Ask about it instead of allowing it, or allow only the calls that are needed.',
  },
  check,
};

/** At most this many times a call is compared with a rule; further rules of a project are not examined. */
const MOST_COMPARED = 8_000;

function check(project: LintProject, isReported: IsReported): readonly Report[] {
  const judge = judgeFor(project);
  const restricting = new Map<LintFile, readonly Language[]>();
  let left = MOST_COMPARED;
  return openGrants(project).flatMap((grant): readonly Report[] => {
    const { file, prefixes, at } = grant;
    if (file.kind === 'agent' || isReported([at])) return [];
    const languages = restricting.get(file) ?? restrictingIn(file, project);
    restricting.set(file, languages);
    const isStopped = (command: string) => {
      left -= languages.length;
      return left >= 0 && languages.some((language) => accepts(language, command));
    };
    const isAllowed = (command: string) => {
      if (left < languages.length || !judge.judges(command)) return false;
      if (file.kind === 'policy') return judge.byPolicy(command)?.decision === 'allow';
      if (isClaude(file) && COMPOUND.test(command)) return false;
      return !isStopped(command);
    };
    for (const words of prefixes) {
      const worst = worstCall(words, { isAllowed, isStopped, decide: judge.bySafe });
      if (worst !== null && !(grant.mayEdit === true && worst.option?.onlyWrites === true))
        return [reportOf(grant, words, worst)];
    }
    return [];
  });
}

function isClaude(file: LintFile): file is ConfigFile {
  return file.kind === 'config' && file.config === 'claude-settings';
}

/** The calls that the ask and deny rules beside a grant are about. */
function restrictingIn(file: LintFile, project: LintProject): readonly Language[] {
  if (isClaude(file)) return claudeEntries(file).flatMap((entry) => (entry.effect === 'allow' ? [] : bashLanguages(entry)));
  const others = prefixRules(project).filter(({ decision }) => decision !== 'allow');
  return [
    ...file.rules.flatMap(({ rule: { effect, pattern } }) => (effect === 'allow' || pattern === null ? [] : [pattern])),
    ...others.map(({ pattern }) => `${pattern.map((words) => words[0]).join(' ')} *`),
  ].map(meetingLanguage);
}

/** At most this many rules are proposed: of more, asking is the better advice. */
const MOST_PROPOSED = 3;

function reportOf({ text, at, file }: OpenGrant, words: readonly string[], { command, does, option }: WorstCall): Report {
  const isVerb = !/^(?:An?|The|This) /.test(does);
  const which = `${isVerb ? ', which' : ':'} ${does.charAt(0).toLowerCase()}${does.slice(1)}`;
  if (option === null) return { at, message: `${shown(text)} allows ${shown(command)} without a question${which}` };
  const stopped = option.stopped === null ? '' : ` The rule against ${option.stopped} does not stop it.`;
  const denied = option.beginnings.map((one) => shown(`Bash(${words.join(' ')}* ${one}*)`));
  return {
    at,
    message: `${shown(text)} also allows ${shown(command)}${which}${stopped}`,
    ...(option.stopped === null && !option.isForGood && { severity: 'info' as const }),
    // What an option sets, an operand can set, too.
    ...(isClaude(file) &&
      !option.isForGood &&
      denied.length <= MOST_PROPOSED && {
        help: `Deny ${denied.join(' and ')} beside it, or allow only the calls that are needed.`,
      }),
  };
}
