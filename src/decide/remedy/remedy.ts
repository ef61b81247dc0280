/** The remedy for an ask or a denial, in one line: the allow rule that would let the call pass, or why no rule can. Pure. */
import { singleQuoted } from '../../call/quote.js';
import type { ToolCall } from '../../call/tool-call.js';
import { flatten } from '../../command/model/called-commands.js';
import { decide } from '../decide.js';
import { analyse, type CallAnalysis } from '../flow/analysis.js';
import { hazardAdvice, hazardousVariable } from '../guards/environment.js';
import type { CompiledPolicy } from '../policy/policy-data.js';
import type { Decision } from '../ruling/decision.js';
import type { Facts } from '../ruling/facts.js';
import { candidateRules } from './candidates.js';
import type { OfferedRule } from './offer.js';
import { policyWith } from './rule.js';
import { holdsSecret } from './secrets.js';
import { OFFER_SCOPES, type Offer, type Remedy, type RemedyLine } from './types.js';
import { unsafeOffer } from './unsafe-offers.js';

/** The two layers that `policy allow` writes to. */
export type RemedyLayer = 'local' | 'user';

/**
 * What would allow a call that is asked about or denied; null for an allowed call. Rules are returned only if the same call,
 * decided again with them, is allowed. Source: issue "every ask and deny prints the one line that would allow the call".
 * @param facts the facts with which the decision was made
 * @param layer where the rules would be written: the user's own policy if the project's is not trusted
 * @param most the maximum number of offers
 */
export function findRemedy(
  compiled: CompiledPolicy,
  call: ToolCall,
  facts: Facts,
  decision: Decision,
  analysis: CallAnalysis = analyse(call),
  layer: RemedyLayer = 'local',
  most = 1,
): Remedy | null {
  if (decision.decision === 'allow') return null;
  const refusal = written(decision) ?? guarded(decision) ?? tooGrave(analysis);
  if (refusal !== null) return { kind: 'sentence', sentence: forPerson(refusal, decision) };
  const place = { cwd: call.cwd, home: facts.home, project: facts.project };
  const unsafe = unsafeOffer(analysis, place, compiled.policy.protectedBranches, facts.git);
  if (unsafe !== null) return { kind: 'sentence', sentence: forPerson(unsafe, decision) };
  const variable = hazardousVariable(facts, analysis);
  const offers: Offer[] = [];
  let isSecret = false;
  for (const rules of variable !== undefined ? [] : candidateRules(analysis, decision, facts, place)) {
    if (offers.length >= most) break;
    const compiledRules = rules.map(({ rule }) => rule);
    if (decide(policyWith(compiled, compiledRules, layer), call, facts, analysis).decision !== 'allow') continue;
    if (compiledRules.some(({ rule }) => holdsSecret(rule.text, call.input))) isSecret = true;
    else offers.push(offerOf(rules));
  }
  const [first, ...others] = offers;
  if (first !== undefined) return { kind: 'rules', offers: [first, ...others] };
  if (isSecret) return { kind: 'sentence', sentence: forPerson(HOLDS_SECRET, decision) };
  return {
    kind: 'sentence',
    sentence: analysis.tool.known ? forPerson(noRemedy(decision, variable, analysis), decision) : UNKNOWN_TOOL,
  };
}

function offerOf(rules: readonly OfferedRule[]): Offer {
  const widest = Math.max(...rules.map(({ scope }) => OFFER_SCOPES.indexOf(scope)));
  return {
    rules: rules.map(({ rule }) => rule.rule.text),
    scope: OFFER_SCOPES[widest] ?? 'exact',
    alsoAllows: rules.flatMap(({ also }) => also ?? []),
  };
}

const HOLDS_SECRET =
  'no rule is suggested: it would contain the secret in this call; keep the secret in a file or variable that the program reads itself, or let a person run it in a terminal';

/** When asked, the person can approve the call at once; only a denied call has to be run by the person. */
function forPerson(sentence: string, { decision }: Decision): string {
  return decision === 'ask'
    ? sentence.replace(/let a person (?:run it in a terminal|change it)$/, 'let a person approve this call')
    : sentence;
}

/**
 * The remedy as one line to print: a command to paste into a terminal, or a sentence. Printing escapes unprintable characters.
 * @param layer the layer in which the rules were tried
 */
export function remedyLine(remedy: Remedy, layer: RemedyLayer = 'local'): string {
  return remedy.kind === 'sentence' ? remedy.sentence : offerLine(remedy.offers[0], layer);
}

/** Every offer as such a command, or the sentence. */
export function remedyLines(remedy: Remedy, layer: RemedyLayer): readonly RemedyLine[] {
  if (remedy.kind === 'sentence') return [{ line: remedy.sentence, also: [] }];
  return remedy.offers.map((offer) => ({ line: offerLine(offer, layer), also: offer.alsoAllows }));
}

/** An offer as a command to paste into a terminal. */
function offerLine({ rules }: Offer, layer: RemedyLayer): string {
  return `policy allow ${layer === 'user' ? '--user ' : ''}${rules.map(singleQuoted).join(' ')}`;
}

/** Decisions that no further rule can override: a written rule that asks or denies, and the stages besides the policy. */
function written({ stage, rule, decision, suggestion, reasons }: Decision): string | null {
  const place = rule === null ? '' : `${rule.file}${rule.line > 0 ? `:${rule.line}` : ''}`;
  if (stage === 'budget') return 'no rule can allow this: the budget is used up; start a new session or raise it in the policy';
  if (stage === 'agent' && reasons.some(({ code }) => code === 'agent/unknown'))
    return 'no rule of the policy can allow this: an agent without a definition always asks; `policy agents list` shows the defined agents';
  if (stage === 'agent')
    return rule === null
      ? "no rule of the policy can allow this: the agent's own permissions do not allow it; use another agent, or change its permissions"
      : `no rule of the policy can allow this: ${rule.text} of the agent's definition (${place}) decides; change it there`;
  if (rule === null || rule.effect === 'allow') return null;
  const instead = suggestion === null ? '' : `; ${suggestion} is allowed instead`;
  if (rule.layer === 'preset')
    return `no rule can allow this: the preset ${decision === 'deny' ? 'denies' : 'asks about'} it${instead}`;
  return `an allow rule cannot override ${rule.effect === 'ask' ? 'an ask' : 'a deny'} rule; to change it, edit ${place}${instead}`;
}

/** Programs that run others with more privileges: a pasted line must not allow these permanently. */
const PRIVILEGED = new Set(['sudo', 'doas', 'su', 'pkexec', 'runas']);

/** Commands that a grammar refuses outright, or that gain privileges: a pasted line should not allow them. */
function tooGrave({ lines }: CallAnalysis): string | null {
  const commands = lines.flatMap(({ tree }) => flatten(tree.commands));
  const grave = commands.flatMap(({ verdict }) => verdict.issues.filter(({ rating }) => rating === 'refuse'));
  if (grave.length === 0 && !commands.some(({ name }) => name !== null && PRIVILEGED.has(name))) return null;
  return grave.length > 0 && grave.every(({ code }) => code === 'assignment/executes') ? SET_BEFORE : TOO_GRAVE;
}

const TOO_GRAVE = 'no rule is suggested: it affects too much or cannot be undone; let a person run it in a terminal';
const SET_BEFORE =
  'no rule is suggested: the variable can make the command run other programs; drop it, or write a rule that begins with it: Bash(NAME=value command)';

const PROTECTED = 'no rule can allow this: the path is protected; let a person change it';
const ELSEWHERE =
  "no rule can allow this as written: git would work outside the project's repository; name the folder in the command (git -C FOLDER …), so that a rule can name it";
const SECRET = 'no rule can allow this: it may read secrets; let a person run it in a terminal';
const NOT_LITERAL =
  'no rule can allow this: it cannot be analysed completely; use literal arguments, or let a person run it in a terminal';

/** Sentences by the beginning of the reason's code, the most serious first. */
const SENTENCES: readonly (readonly [code: string, sentence: string])[] = [
  ['builtin/', 'no rule can allow this: a built-in rule denies it; if you want it, run it yourself in a terminal'],
  ['protected/path', PROTECTED],
  [
    'protected/unknown',
    'no rule can allow this: it may change protected files; write out the file names, or let a person run it in a terminal',
  ],
  [
    'protected/project',
    'no rule can allow this: it may change all project files; name the files, or let a person run it in a terminal',
  ],
  ['protected/', PROTECTED],
  ['secret/path', SECRET],
  [
    'secret/unknown',
    'no rule can allow this: it may read secrets; write out the file names, or let a person run it in a terminal',
  ],
  ['secret/tree', 'no rule can allow this: it may read secrets; exclude those files, or let a person run it in a terminal'],
  ['secret/', SECRET],
  ['preset/', 'no rule can allow this: the preset denies it; choose another preset, or let a person run it in a terminal'],
  ['input/unseen', 'no rule can allow this: the input is incomplete; pass the command or the file too'],
  ['input/', 'no rule can allow this: the input asks for extra access; leave that field out'],
  ['skill/agents-unread', 'no rule can allow this: correct the problem, or let a person approve this call'],
  [
    'skill/',
    'no rule about the skill can allow this: the commands and files that it loads need their own rules; let a person run it in a terminal',
  ],
  [
    'mention/',
    'no rule about the agent can allow this: write the name of the file without @, or let the policy allow reading that file',
  ],
  [
    'git/config',
    "no rule for all projects can allow this: the repository's own configuration makes git run programs; remove that key, or trust the project's policy (`policy trust`) and allow it there",
  ],
  [
    'git/replaced',
    'no rule can allow this: another command in the line may change files that git obeys; run them in separate calls',
  ],
  ['policy/unread', 'no rule can allow this: the policy of this folder cannot be read; correct that file, or work elsewhere'],
  ['git/moved', 'no rule can allow this line: run its git commands in separate calls, so that their changes can be looked up'],
  ['git/hooks', 'no rule can allow this: the line writes files that git hooks may run; run git in a separate call'],
  ['line/written', 'no rule can allow this line: run the written file in a separate call'],
  ['git/other-repository', ELSEWHERE],
  ['git/unknown-directory', ELSEWHERE],
  ['git/no-repository', ELSEWHERE],
  [
    'assignment/',
    'no rule is suggested: the variable set before the command is not known to be harmless; put it into the rule, Bash(NAME=value command), or list its name under harmlessVariables in the policy',
  ],
  [
    'runner/',
    'no rule can allow this: a coding agent without its hooks runs unchecked; leave out the named option, or let a person start it in a terminal',
  ],
  ['tier/no-review', 'no rule can allow this yet: its entry in custom_tools has no review; add one'],
  ['shell/empty', 'no rule can allow this: it contains no command; write one'],
  ['shell/parse-error', 'no rule can allow this: it is not a complete shell command; write it in full'],
  [
    'shell/powershell',
    'no narrow rule can allow this: in PowerShell, only known commands without variables, blocks and brackets are analysed; write it like that, use the Bash tool, or let a person run it in a terminal',
  ],
  [
    'shell/background-job',
    "no rule can allow this: a background job outlives the call; leave out the &, or use the agent's own background option",
  ],
  ['shell/', NOT_LITERAL],
  ['word/', NOT_LITERAL],
  [
    'path/',
    'no narrow rule can allow this as written: one of its paths is uncertain; write paths in full, without ~ and wildcards, or let a person run it in a terminal',
  ],
  [
    'mcp/redefined',
    'no rule can allow this: the definition is not the pinned one; if the change is fine, let a person pin it again: policy mcp pin',
  ],
  ['on-ask/', 'no rule can allow this, and onAsk: deny turns the question into a denial; let a person run it in a terminal'],
];

const UNKNOWN_TOOL = 'no rule is suggested: policy does not know this tool; a rule with only its name allows every call to it';

const GUARDED = ['builtin/', 'protected/', 'secret/', 'mcp/'];

/** For built-in denials, for protected and secret paths and for redefined tools, no rule is tried. */
function guarded({ reasons }: Decision): string | null {
  return sentenceOf(reasons.filter(({ code }) => GUARDED.some((stage) => code.startsWith(stage))));
}

/**
 * The sentence for a call without a remedy.
 * @param variable an environment variable that overrides every rule; mentioned only if nothing else prevents an allow
 */
function noRemedy({ reasons }: Decision, variable: string | undefined, { tool, lines }: CallAnalysis): string {
  const sentence = sentenceOf(reasons) ?? (variable === undefined ? null : hazardAdvice(variable));
  // A command line can be split.
  return sentence ?? (tool.canonical === 'PowerShell' ? IN_POWERSHELL : lines.length > 0 ? TOO_MUCH : NOTHING_NARROW);
}

const IN_POWERSHELL =
  'no rule is suggested for PowerShell lines; use the Bash tool, to which rules for Bash apply, or let a person run it in a terminal';

const TOO_MUCH =
  'no narrow rule fits this call: it is too long, or contains a wildcard, a line break or a value known only when it runs; split it, or let a person run it in a terminal';
const NOTHING_NARROW = 'no narrow rule is suggested; let a person approve this call, or allow every call to the tool by its name';

function sentenceOf(reasons: Decision['reasons']): string | null {
  return SENTENCES.find(([code]) => reasons.some((reason) => reason.code.startsWith(code)))?.[1] ?? null;
}
