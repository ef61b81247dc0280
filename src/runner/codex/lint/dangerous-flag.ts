import type { LintFile } from '../../../lint/files/files.js';
import { ruleAt } from '../../../lint/files/rule-places.js';
import type { LintProject } from '../../../lint/project/project.js';
import type { LintRule, Report } from '../../../lint/project/rule.js';

const FLAGS =
  /(?<![\w-])--(?:dangerously-bypass-approvals-and-sandbox|dangerously-bypass-hook-trust|dangerously-skip-permissions|allow-dangerously-skip-permissions|yolo|ignore-rules|ignore-user-config)(?![\w-])|(?<![\w-])(?:-s|--sandbox)[ =]danger-full-access\b/g;
/** Words of a sentence that warns against the flag, which is not a use of it. */
const WARNING = /\b(?:never|not|don't|without|avoid|forbidden|deny|denied|refuse|refuses|wrong)\b/i;

/** Before a client: words that tell to run it, or nothing but what a command line begins with. */
const TOLD = /\b(?:run|runs|start|use|launch|execute|call|invoke|try|type|with|via)(?:\s+[\w-]+){0,2}\s+[`"']?$/i;
const BEGINS = /(?:^|[|;&(:])\s*(?:[-*>$%]\s+|\d+\.\s+)?(?:\w+=\S*\s+|(?:sudo|nohup|exec|time|then|do|else|!|npx)\s+)*[`"']?$/;

const CLIENT = '(?:codex|claude|gemini|qwen|copilot|opencode|cursor-agent)';
const COMMAND = new RegExp(`^(?:[\\s\\S]*[\\s\`"'($|;&])?(${CLIENT}\\s[^\`|;&]*)$`);
const STARTED = new RegExp(`^([\\s\\S]*?(?:^|[\\s"'($|;&/]))${CLIENT}["']?\\s[^|;&]*$`);

export const dangerousFlag: LintRule = {
  id: 'codex/dangerous-flag',
  severity: 'error',
  confidence: 'medium',
  persona: 'reviewer',
  docs: {
    what: 'A command in a definition, a text, an allow rule, a script or a CI workflow has a flag that switches approvals or the sandbox off.',
    why: 'A session started with it asks about nothing. The flag is never needed: what should run can be allowed by rules.',
    bad: 'Run `codex exec --dangerously-bypass-approvals-and-sandbox`.',
    good: 'Run `codex exec --sandbox workspace-write`.',
    fix: 'Remove the flag; allow by rules what should run without a question.',
  },
  check: ({ files, scripts }: LintProject) => [...files, ...scripts].flatMap(check),
};

/** Maximum number of characters before the flag that may belong to its command. */
const NEAR = 300;

/** In a text only a command line counts: a table of options or a warning names the flag as well. */
function check(file: LintFile): readonly Report[] {
  const { source } = file;
  if (!source.mayHold('open-flag')) return [];
  const isClosing = ruleAt(file, ({ effect }) => effect !== 'allow');
  const told = new Set<string>();
  return [...source.text.matchAll(FLAGS)].flatMap((found): Report[] => {
    if (told.has(found[0]) && file.kind === 'text') return [];
    if (isClosing(found.index)) return [];
    const before = source.text.slice(Math.max(0, found.index - NEAR), found.index);
    const line = /(?:[^\n]|(?<=\\)\n)*$/.exec(before)?.[0] ?? '';
    const end = found.index + found[0].length;
    const isRead =
      file.kind === 'policy'
        ? !line.includes('#')
        : file.kind === 'script'
          ? isRun(line)
          : file.kind === 'config' || isCommand(line, source.text.slice(end, end + NEAR));
    if (!isRead) return [];
    told.add(found[0]);
    const at = source.span(found.index, end);
    const message = `${found[0]} switches the questions or the sandbox off.`;
    // A script may run in a container that is thrown away.
    const isSmaller = file.kind === 'text' || file.kind === 'script';
    return [{ at, message, ...(isSmaller && { severity: 'warning' }) }];
  });
}

/** Whether a line of a script up to a flag runs a client with it: not in a comment, and not printed. */
function isRun(line: string): boolean {
  const [, before] = STARTED.exec(line) ?? [];
  return before !== undefined && !/(?:^|\s)#|\b(?:echo|printf|name:)/.test(before);
}

/** Whether a line up to a flag starts a client with it: told to, or as a command of its own; a span in a sentence may only explain it. */
function isCommand(line: string, after: string): boolean {
  const start = COMMAND.exec(line);
  const before = line.slice(0, line.length - (start?.[1]?.length ?? 0));
  if (start === null || WARNING.test(before)) return false;
  return TOLD.test(before) || (BEGINS.test(before) && (!before.endsWith('`') || /^[^`\n]*`[\s.;]*(?:\n|$)/.test(after)));
}
