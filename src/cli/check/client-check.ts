/** `policy check --dialect claude-code`: how the runner itself would decide a call, by its own permission rules. */
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { type ClientAnswer, clientAnswer } from '../../audit/claude-code/client-answer.js';
import { type PermissionRules, permissionRules } from '../../audit/claude-code/permission-rules.js';
import { CLIENT } from '../../audit/claude-code/settings.js';
import type { ToolCall } from '../../call/tool-call.js';
import { coverSecrets } from '../../log/record/mask-decision.js';
import { projectOf } from '../../project/project.js';
import { escapeText, jsonLine } from '../../report/printing/escape.js';
import { painter } from '../../report/printing/paint.js';
import { EXIT, type ExitCode, UsageError } from '../terminal/exit.js';
import { linesOf } from '../terminal/lines.js';
import { print, printProse, textOptions } from '../terminal/terminal.js';
import { type Arguments, switchFlag, textFlag, textFlags } from '../words/arguments.js';
import { callFromLine } from './call-line.js';

/** Dialects of permission rules that are interpreted as by their own runner. */
export const CLIENT_DIALECTS = [CLIENT] as const;

/** Flags that choose a policy, which does not apply here. */
const OF_A_POLICY = ['policy', 'preset', 'trust-project', 'permissions-overlay', 'agent'];

/**
 * Answers one call, or with --batch each line of standard input.
 * @param callOf returns the call of the command line
 */
export async function checkAsClient(args: Arguments, callOf: (cwd: string) => ToolCall): Promise<ExitCode> {
  const strange = OF_A_POLICY.find((name) => args[name] !== undefined);
  if (strange !== undefined) throw new UsageError(`--dialect uses the client's own rules and no policy; leave out --${strange}`);
  const cwd = resolve(textFlag(args, 'cwd') ?? '.');
  const rules = rulesFor(args, cwd);
  for (const { file, ignored } of rules.files)
    if (ignored !== null) process.stderr.write(`${escapeText(`Claude Code leaves out all of ${file}: ${ignored}`)}\n`);
  if (switchFlag(args, 'batch')) return await batch(rules, cwd, switchFlag(args, 'headless'));
  const call = callOf(cwd);
  const answer = answerTo(rules, call);
  if (switchFlag(args, 'json')) await print(asJson(answer, call, rules));
  else await printProse(asText(answer, call, args, rules));
  return EXIT[answer.decision];
}

function rulesFor(args: Arguments, cwd: string): PermissionRules {
  const home = homedir();
  try {
    return permissionRules(
      { project: projectOf(cwd), home, managedDirectory: '/etc/claude-code', extra: [] },
      textFlags(args, 'settings'),
    );
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function answerTo(rules: PermissionRules, call: ToolCall): ClientAnswer {
  return clientAnswer(rules, call, { cwd: call.cwd, home: homedir() });
}

/** Line n of the output is about line n of the input. */
async function batch(rules: PermissionRules, cwd: string, headless: boolean): Promise<ExitCode> {
  for await (const line of linesOf(process.stdin)) {
    const read = 'problem' in line ? line.problem : callFromLine(line.text);
    if (typeof read === 'string') {
      await print(jsonLine({ version: 1, dialect: CLIENT, decision: 'deny', message: read, rule: null }));
      continue;
    }
    const call: ToolCall = { headless, ...read, cwd: resolve(cwd, read.cwd ?? '.'), shell: 'bash', runner: CLIENT };
    await print(asJson(answerTo(rules, call), call, rules));
  }
  return EXIT.allow;
}

function asJson({ decision, message, rule }: ClientAnswer, { tool }: ToolCall, { mode, files }: PermissionRules): string {
  const place = rule && {
    text: rule.text,
    effect: rule.effect,
    scope: rule.scope,
    file: rule.shownFile,
    line: rule.span.line,
    column: rule.span.column,
  };
  return jsonLine({
    version: 1,
    dialect: CLIENT,
    decision,
    message: coverSecrets(message),
    rule: place,
    call: { tool },
    mode,
    files,
  });
}

function asText(answer: ClientAnswer, call: ToolCall, args: Arguments, { files }: PermissionRules): string {
  const paint = painter(textOptions().color);
  const { decision, message } = answer;
  const subject = textFlag(args, 'input') ?? textFlag(args, 'input-json') ?? '';
  const asked = escapeText(coverSecrets(`${call.tool} ${subject}`.trim()));
  const line = `${paint.effect(decision, decision)}  ${asked}  ${paint.dim('·')} ${escapeText(coverSecrets(`Claude Code by its own rules: ${message}.`))}\n`;
  if (!switchFlag(args, 'explain')) return line;
  const read = files.map(({ file, scope, rules, ignored }) =>
    escapeText(`  ${file} (${scope}): ${ignored === null ? `${rules} ${rules === 1 ? 'rule' : 'rules'}` : 'left out'}`),
  );
  return `${line}\nSettings\n${read.length === 0 ? '  none were found' : read.join('\n')}\nNo policy or hook was used.\n`;
}
