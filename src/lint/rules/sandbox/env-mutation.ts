import type { LintFile } from '../../files/files.js';
import { ruleAt } from '../../files/rule-places.js';
import type { LintProject } from '../../project/project.js';
import type { LintRule, Report } from '../../project/rule.js';

const ASSIGNMENT =
  /(?<![\w$])(?:CODEX_SANDBOX\w{0,40}|CLAUDE_CODE_SANDBOX\w{0,40}|GEMINI_SANDBOX|SANDBOX_\w{1,40})=(?!=)|\bsandbox_mode\s{0,4}[=:]\s{0,4}["']?danger-full-access["']?/g;
/** A sentence about what not to do; reported only as a note, since the rest of it may mean something else. */
const FORBIDS = /\b(?:never|not|avoid|without)\b|n['\u2019]t\b/i;
const SENTENCE = 200;

export const envMutation: LintRule = {
  id: 'sandbox/env-mutation',
  severity: 'error',
  confidence: 'medium',
  persona: 'reviewer',
  docs: {
    what: 'A definition or an allow rule sets a variable that controls the sandbox.',
    why: 'Sandbox variables belong to the runner; a definition that sets one switches its protection off.',
    bad: 'Run CODEX_SANDBOX= npm test.',
    good: 'Run npm test.',
    fix: 'Remove the assignment.',
  },
  check: (project: LintProject) => project.files.flatMap(check),
};

/** Reading such a variable is fine. */
function check(file: LintFile): readonly Report[] {
  const { source } = file;
  if (!source.mayHold('sandbox')) return [];
  const isClosing = ruleAt(file, ({ effect }) => effect !== 'allow');
  return [...source.text.matchAll(ASSIGNMENT)].flatMap((found) => {
    const { index, 0: assignment } = found;
    const at = source.span(index, index + assignment.length);
    if (isClosing(found.index) || isToldElsewhere(file, index)) return [];
    const isForbidden = FORBIDS.test(sentenceBefore(source.text, index));
    return [
      { at, message: `${assignment} changes the sandbox of the runner.`, ...(isForbidden && { severity: 'info' as const }) },
    ];
  });
}

/** A key of Codex's configuration belongs to codex/danger-full-access; one in a comment there sets nothing. */
function isToldElsewhere(file: LintFile, index: number): boolean {
  if (file.kind !== 'config' || file.config !== 'codex-config') return false;
  return (
    file.source.text.startsWith('sandbox_mode', index) &&
    /(?:^|\n)[\t #]{0,200}$/.test(file.source.text.slice(Math.max(0, index - SENTENCE), index))
  );
}

/** Returns the text before a place in its sentence, or in its line. */
function sentenceBefore(text: string, index: number): string {
  return /[^.!?\n]*$/.exec(text.slice(Math.max(0, index - SENTENCE), index))?.[0] ?? '';
}
