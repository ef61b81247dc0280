import type { LintFile } from '../../../lint/files/files.js';
import { ruleAt } from '../../../lint/files/rule-places.js';
import type { LintProject } from '../../../lint/project/project.js';
import type { LintRule, Report } from '../../../lint/project/rule.js';

const FLAGS =
  /(?<![\w-])--(?:dangerously-bypass-approvals-and-sandbox|dangerously-bypass-hook-trust|dangerously-skip-permissions|allow-dangerously-skip-permissions|yolo|ignore-rules|ignore-user-config)(?![\w-])/g;
/** Words of a sentence that warns against the flag, which is not a use of it. */
const WARNING = /\b(?:never|not|don't|without|avoid|forbidden|deny|denied|refuse)\b/i;

export const dangerousFlag: LintRule = {
  id: 'codex/dangerous-flag',
  severity: 'error',
  confidence: 'medium',
  persona: 'reviewer',
  docs: {
    what: 'A definition or an allow rule names a flag that switches approvals or the sandbox off.',
    why: 'A session started with it asks about nothing. The flag is never needed: what should run can be allowed by rules.',
    bad: 'Run `codex exec --dangerously-bypass-approvals-and-sandbox`.',
    good: 'Run `codex exec --sandbox workspace-write`.',
    fix: 'Remove the flag; allow by rules what should run without a question.',
  },
  check: (project: LintProject) => project.files.flatMap(check),
};

/** Maximum number of characters before the flag that may belong to its sentence. */
const NEAR = 200;

/** A rule that denies or asks about the flag is desirable, so it is not reported. */
function check(file: LintFile): readonly Report[] {
  const { source } = file;
  if (!source.mayHold('open-flag')) return [];
  const isClosing = ruleAt(file, ({ effect }) => effect !== 'allow');
  return [...source.text.matchAll(FLAGS)].flatMap((found): Report[] => {
    const at = source.span(found.index, found.index + found[0].length);
    if (isClosing(found.index)) return [];
    const before = (source.lines[at.line - 1] ?? '').slice(Math.max(0, at.column - 1 - NEAR), at.column - 1);
    const message = `${found[0]} switches the questions or the sandbox off.`;
    return [
      WARNING.test(before) || (file.kind === 'policy' && before.includes('#'))
        ? { at, message, severity: 'info', confidence: 'low' }
        : { at, message },
    ];
  });
}
