/** A decision for a person: one plain line, or the whole explanation. */

import type { RemedyLine } from '../decide/remedy/types.js';
import type { CommandDecision, Decision, Reason, RuleReference } from '../decide/ruling/decision.js';
import type { Effect } from '../rule/pattern/permission-rule.js';
import { caretLines } from './printing/caret.js';
import { agentLabel, escapeText } from './printing/escape.js';
import { OBSERVE_MODE } from './printing/observe.js';
import { type Painter, painter, type TextOptions } from './printing/paint.js';
import { wrap } from './printing/wrap.js';

/** The hook's answer to the runner; `why`: the reason why it is not the decision itself. */
export interface ShownHook {
  readonly runner: string | null;
  readonly answer: Effect | 'silence';
  readonly why: string | null;
}

/** Options for showing a decision, and the model of the calling agent, if it is known. */
export interface DecisionTextOptions extends TextOptions {
  readonly model?: string | null;
  readonly hook?: ShownHook;
}

/** Returns one line without its line break: the answer, the call, and the reason. `subject` is the input's text, if it has one. */
export function decisionLine(decision: Decision, subject: string | null, options: DecisionTextOptions): string {
  const paint = pageOf(options);
  const why = escapeText(oneSentence(decision));
  return `${paint.effect(decision.decision, decision.decision)}  ${asked(decision, subject, 200, options.model)}  ${paint.dim('·')} ${why}`;
}

/**
 * Returns the whole explanation, with a final line break: answer, stages, commands, rules, suggestion.
 * @param remedy the lines that would turn an ask or a deny into an allow, the preferred one first
 */
export function decisionExplained(
  decision: Decision,
  subject: string | null,
  options: DecisionTextOptions,
  remedy: readonly RemedyLine[] = [],
): string {
  const paint = pageOf(options);
  const sections = [
    headline(decision, subject, paint, options.model),
    stages(decision, paint),
    commands(decision, subject ?? '', paint),
    matched(decision, paint),
    hookPart(options.hook, paint),
    suggestion(decision, paint),
    remedyPart(remedy, paint),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

/** The colors, and the width of an explanation. */
interface Page extends Painter {
  readonly width: number;
}

function pageOf({ color, width }: TextOptions): Page {
  return { ...painter(color), width: Math.max(40, width) };
}

/** `Bash git push`, and its caller; of a long input the first `most` characters. */
function asked({ call }: Decision, subject: string | null, most: number, model: string | null = null): string {
  const whole = subject === null || subject === '' ? call.tool : `${call.tool} ${subject}`;
  const what = escapeText(whole.length > most ? `${whole.slice(0, most)}… (${whole.length} characters)` : whole);
  const who = call.agent === null ? '' : ` (agent ${agentLabel(call.agent, model)})`;
  return `${what}${who}`;
}

/** Returns the decision's own sentence, with the place of the deciding rule. */
function oneSentence(decision: Decision): string {
  const { message, rule } = decision;
  if (rule === null || message.includes(rule.text)) return message;
  return `${message} [${rule.text} ${place(rule)}]`;
}

/** `policy.yaml:12`, or the origin of a rule that is not in a file of the user. */
function place(rule: RuleReference): string {
  return rule.line > 0 ? `${rule.file}:${rule.line}` : rule.file;
}

function headline(decision: Decision, subject: string | null, paint: Page, model: string | null = null): readonly string[] {
  const answer = paint.effect(decision.decision, decision.decision.toUpperCase());
  const [first, ...rest] = wrap(asked(decision, subject, 2000, model), paint.width - 7);
  return [
    `${answer}${' '.repeat(7 - decision.decision.length)}${first}`,
    ...indented(rest, 7),
    ...indented(wrap(escapeText(decision.message), paint.width - 7), 7),
    ...(decision.mode === 'observe' ? indented(wrap(OBSERVE_MODE, paint.width - 7), 7) : []),
  ];
}

/** Returns one row per stage: all three are always judged, and the strictest answer wins. */
function stages(decision: Decision, paint: Page): readonly string[] {
  const rows = decision.stages.flatMap((result) => {
    const mark = result.stage === decision.stage ? '▸' : ' ';
    const head = `${mark} ${result.stage.padEnd(6)}  ${paint.effect(result.decision, result.decision.padEnd(5))}  `;
    const why = [...unmentionedRule(result.rule, result.reasons), ...result.reasons.map(({ message }) => message)];
    return hanging(head, 17, why.length === 0 ? ['nothing against it'] : why, paint.width);
  });
  return [paint.title('Stages'), ...rows];
}

/** Returns the tree of commands in a command line, each with its verdict; carets point at the objections. */
function commands(decision: Decision, source: string, paint: Page): readonly string[] {
  if (decision.commands.length === 0) return [];
  return [paint.title('Commands found'), ...branches(decision.commands, source, '', paint)];
}

function branches(found: readonly CommandDecision[], source: string, stem: string, paint: Page): readonly string[] {
  return found.flatMap((command, index) => {
    const last = index === found.length - 1;
    const below = `${stem}${last ? '   ' : '│  '}`;
    const edge = `  ${stem}${last ? '└─ ' : '├─ '}`;
    const indent = `  ${below}${command.inner.length > 0 ? '│      ' : '       '}`;
    const [first, ...rest] = wrap(escapeText(command.text), Math.max(20, paint.width - indent.length));
    return [
      `${edge}${paint.effect(command.decision, command.decision.padEnd(5))}  ${first}`,
      ...[...rest, ...verdict(command, source, Math.max(20, paint.width - indent.length), paint)].map(
        (line) => `${indent}${line}`,
      ),
      ...branches(command.inner, source, below, paint),
    ];
  });
}

/** Returns why one command was judged as it was. */
function verdict(command: CommandDecision, source: string, width: number, paint: Page): readonly string[] {
  const rule = unmentionedRule(command.rule, command.reasons).flatMap((text) => wrap(escapeText(text), width).map(paint.dim));
  return [...rule, ...command.reasons.flatMap((_, index) => objection(command, index, source, width, paint))];
}

/** Returns one of a command's reasons, below carets under the part that it concerns; identical carets are not repeated. */
function objection(
  { decision, reasons }: CommandDecision,
  index: number,
  source: string,
  width: number,
  paint: Page,
): readonly string[] {
  const [before, reason] = [reasons[index - 1], reasons[index]];
  if (reason === undefined) return [];
  const sentence = wrap(escapeText(`${reason.message} (${reason.code})`), width).map(paint.dim);
  const { span } = reason;
  if (decision === 'allow' || span === undefined) return sentence;
  if (before?.span?.start === span.start && before.span.end === span.end) return sentence;
  return [...(caretLines(source, span, width) ?? []), ...sentence];
}

/** Returns every rule that matched, the strictest first: the answer never depends on their order in the file. */
function matched(decision: Decision, paint: Page): readonly string[] {
  if (decision.matched.length === 0) return [];
  const order: readonly Effect[] = ['deny', 'ask', 'allow'];
  const rows = order
    .flatMap((effect) => decision.matched.filter((rule) => rule.effect === effect))
    .flatMap((rule) =>
      hanging(
        `  ${paint.effect(rule.effect, rule.effect.padEnd(5))}  `,
        9,
        [ruleText(rule), ...(rule.reason === undefined ? [] : [rule.reason])],
        paint.width,
      ),
    );
  return [paint.title('Rules that matched'), ...rows];
}

/** Shown only if it differs from the decision. */
function hookPart(hook: ShownHook | undefined, paint: Page): readonly string[] {
  if (hook === undefined || hook.why === null) return [];
  const { runner, answer, why } = hook;
  return [
    paint.title(`The hook tells ${runner ?? 'the runner'}`),
    ...hanging(`  ${answer}  `, answer.length + 4, [why], paint.width),
  ];
}

function suggestion(decision: Decision, paint: Page): readonly string[] {
  if (decision.suggestion === null) return [];
  return [paint.title('Allowed instead'), ...indented(wrap(escapeText(decision.suggestion), paint.width - 2), 2)];
}

/**
 * Returns the text after a one-line decision: commands that would allow the call, each on a line that can be copied, with
 * everything else that they allow below it; or a sentence stating why there is none. Empty without a remedy.
 */
export function remedyText(remedy: readonly RemedyLine[]): string {
  const lines = remedy.flatMap(({ line, also }, at) => {
    if (!line.startsWith('policy ')) return [line.charAt(0).toUpperCase() + line.slice(1)];
    const more = also.length === 0 ? [] : [`             also allows ${also.join('; ')}`];
    return [`${at === 0 ? 'to allow it' : '         or'}: ${line}`, ...more];
  });
  return lines.map((line) => `${escapeText(line)}\n`).join('');
}

/** A command stays on one line however long it is, so that it can be copied. */
function remedyPart(remedy: readonly RemedyLine[], paint: Page): readonly string[] {
  if (remedy.length === 0) return [];
  const lines = remedy.flatMap(({ line, also }) => [
    ...(line.startsWith('policy ') ? [escapeText(line)] : wrap(escapeText(line), paint.width - 2)),
    ...(also.length === 0 ? [] : indented(wrap(escapeText(`also allows ${also.join('; ')}`), paint.width - 4), 2)),
  ]);
  return [paint.title('What to do'), ...indented(lines, 2)];
}

/** Returns the rule that decided, unless one of the reasons already names it; its place is listed with the rules that matched. */
function unmentionedRule(rule: RuleReference | null, reasons: readonly Reason[]): readonly string[] {
  return rule === null || reasons.some(({ message }) => message.includes(rule.text)) ? [] : [ruleText(rule)];
}

/** `Bash(git push *)  policy.yaml:40:5 (project)` */
function ruleText(rule: RuleReference): string {
  const column = rule.line > 0 ? `:${rule.column}` : '';
  return `${rule.text}  ${place(rule)}${column} (${rule.layer})`;
}

/** Places sentences beside a head whose visible width is `indent`. */
function hanging(head: string, indent: number, sentences: readonly string[], width: number): readonly string[] {
  const [first = '', ...rest] = sentences.flatMap((sentence) => wrap(escapeText(sentence), width - indent));
  return [`${head}${first}`, ...indented(rest, indent)];
}

function indented(lines: readonly string[], by: number): readonly string[] {
  return lines.map((line) => `${' '.repeat(by)}${line}`);
}
