import {
  argumentSpan,
  type CodexCall,
  codexCalls,
  decisionOf,
  isLoad,
  type PrefixRule,
  patternOf,
} from '../../../lint/codex/rules-file.js';
import type { LintRule, Report } from '../../../lint/project/rule.js';
import type { Literal } from '../../../policy/read/starlark.js';
import { shown } from '../../../policy/sentences.js';

export const codexRulesRefused: LintRule = {
  id: 'codex/rules-refused',
  severity: 'error',
  docs: {
    what: 'Codex does not read a file of rules.',
    why: 'One mistake anywhere makes Codex leave the whole file out, its forbidden commands included.',
    bad: '# .codex/rules/default.rules\nprefix_rule(pattern = ["git", "push"], decision = "deny")\n',
    good: '# .codex/rules/default.rules\nprefix_rule(pattern = ["git", "push"], decision = "forbidden")\n',
    fix: 'Correct the rule as the message says; `codex execpolicy check --rules FILE -- COMMAND` tells whether the file is read.',
    source: 'developers.openai.com/codex: rules',
    verifiedOn: 'Codex 0.169.0',
    runners: ['codex'],
  },
  check: (project) => codexCalls(project).flatMap(check),
};

const KEYWORDS: ReadonlySet<string> = new Set(['pattern', 'decision', 'justification', 'match', 'not_match']);

function check(call: CodexCall): readonly Report[] {
  if (call.arguments === null) return isLoad(call) ? [{ at: call.at, message: 'Rules files of Codex have no load().' }] : [];
  if (call.name === 'network_rule') return wildcardHost(call, call.arguments);
  return call.name === 'prefix_rule' ? prefixMistakes(call, call.arguments) : [];
}

type Arguments = ReadonlyMap<string, Literal>;

function wildcardHost(call: CodexCall, given: Arguments): readonly Report[] {
  const host = given.get('host');
  if (typeof host !== 'string' || !host.includes('*')) return [];
  return [{ at: argumentSpan(call, 'host'), message: `A network_rule names one host, without a wildcard, not ${shown(host)}.` }];
}

function prefixMistakes(call: CodexCall, given: Arguments): readonly Report[] {
  const strange = [...given.keys()].find((key) => !KEYWORDS.has(key));
  if (strange !== undefined)
    return [{ at: argumentSpan(call, strange), message: `A prefix_rule has no argument ${shown(strange)}.` }];
  const pattern = patternOf(given.get('pattern'));
  if (pattern === null) {
    const message = 'The pattern of a prefix_rule is a list of words, or of lists of words: ["git", ["status", "log"]].';
    return [{ at: argumentSpan(call, 'pattern'), message }];
  }
  const decision = given.get('decision');
  if (decision !== undefined && decisionOf(decision) === null) {
    const message = `Codex decides allow, prompt or forbidden, not ${shown(decision)}.`;
    return [{ at: argumentSpan(call, 'decision'), message, ...(decision === 'deny' && { help: 'Write "forbidden".' }) }];
  }
  return [...examples(call, given, pattern, 'match'), ...examples(call, given, pattern, 'not_match')];
}

/** Codex checks every example when it reads the file. */
function examples(
  call: CodexCall,
  given: Arguments,
  pattern: PrefixRule['pattern'],
  name: 'match' | 'not_match',
): readonly Report[] {
  const list = given.get(name);
  if (!Array.isArray(list)) return [];
  const wrong = list.find((example: Literal) => {
    const words = wordsOf(example);
    return words !== null && isPrefixOf(pattern, words) !== (name === 'match');
  });
  if (wrong === undefined) return [];
  const does = name === 'match' ? 'does not match' : 'matches';
  return [{ at: argumentSpan(call, name), message: `The pattern ${does} the example ${shown(textOf(wrong))} of ${name}.` }];
}

/** Returns the words of an example; null if a shell would have to split it. */
function wordsOf(example: Literal): readonly string[] | null {
  if (Array.isArray(example)) return example.map(String);
  return typeof example === 'string' && !/["'\\$`]/.test(example) ? example.split(/\s+/).filter((word) => word !== '') : null;
}

function textOf(example: Literal): string {
  return Array.isArray(example) ? example.join(' ') : String(example);
}

function isPrefixOf(pattern: PrefixRule['pattern'], words: readonly string[]): boolean {
  return pattern.every((alternatives, index) => alternatives.includes(words[index] ?? ''));
}
