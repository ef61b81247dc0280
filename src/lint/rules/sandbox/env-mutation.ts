import { RUNNERS } from '../../../call/tool-call.js';
import { traitsOf } from '../../../call/traits.js';
import type { LintFile } from '../../files/files.js';
import { ruleAt } from '../../files/rule-places.js';
import type { LintProject } from '../../project/project.js';
import type { LintRule, Report } from '../../project/rule.js';

/** What a runner says of its variables; see src/call/traits.ts. */
const KNOWN = RUNNERS.flatMap((runner) => traitsOf(runner).sandboxVariables ?? []);
const NAMES = KNOWN.map(({ names }) => names).join('|');
/** `NAME=…` with its value, in a text or a command. */
const ASSIGNED = `(?<![\\w$])(?:${NAMES})=(?!=)(?:"[^"\\n]{0,80}"|'[^'\\n]{0,80}'|[\\w./:-]{0,80})`;
/** `unset NAME`, `env -u NAME`, `delete process.env.NAME`, `os.environ.pop("NAME")`. */
const REMOVED = `\\bunset(?:[ \\t]{1,4}-?\\w{1,60}){0,8}?[ \\t]{1,4}(?:${NAMES})\\b|(?<![\\w-])(?:-u[ \\t]{0,4}|--unset[= ])["']?(?:${NAMES})\\b|\\b(?:delete|del)\\s{1,4}[\\w.]{1,20}env(?:iron)?[.[]["']?(?:${NAMES})\\b|\\benviron\\.pop\\(["'](?:${NAMES})\\b`;
/** A setting in a text: that of Codex, that of Claude Code. */
const SET = `\\bsandbox_mode\\s{0,4}[=:]\\s{0,4}["']?danger-full-access["']?|["']sandbox["']\\s{0,4}:\\s{0,4}\\{\\s{0,20}["']enabled["']\\s{0,4}:\\s{0,4}false|\\bsandbox\\.enabled\\s{0,4}[=:]\\s{0,4}false`;
/** The same in scripts of other languages: Python and JavaScript, PowerShell, fish, csh. */
const ELSEWHERE = `\\benv(?:iron)?(?:\\.|\\[["'])(?:${NAMES})\\b["'\\]]{0,2}\\s{0,4}=(?!=)|\\$env:(?:${NAMES})\\b\\s{0,4}=|\\bEnv:\\\\?(?:${NAMES})\\b|\\bset(?:env|x)?[ \\t]{1,4}(?:-\\w{1,8}[ \\t]{1,4}){0,3}(?:${NAMES})\\b`;
const MUTATION = new RegExp(`${ASSIGNED}|${REMOVED}|${ELSEWHERE}|${SET}`, 'g');
/** A member of a map of variables: `NAME: …`. */
const MEMBER = new RegExp(
  `(?<![\\w$])(["']?)(?:${NAMES})\\1[ \\t]{0,4}[:=](?![:=])[ \\t]{0,4}(?:"[^"\\n]{0,80}"|'[^'\\n]{0,80}'|[\\w./-]{0,80})`,
  'g',
);
/** An assignment that switches the sandbox on. */
const ON = KNOWN.flatMap(({ names, on }) =>
  on === undefined ? [] : [new RegExp(`^["']?(?:${names})["']?\\s*[=:]\\s*["']?(?:${on})["']?$`, 'i')],
);
/** A sentence about what not to do; reported only as a note, since the rest of it may mean something else. */
const FORBIDS = /\b(?:never|not|avoid|without)\b|n['\u2019]t\b/i;
const SENTENCE = 200;

export const envMutation: LintRule = {
  id: 'sandbox/env-mutation',
  severity: 'error',
  confidence: 'medium',
  persona: 'reviewer',
  docs: {
    what: 'A definition, a hook, a variable of settings or an allow rule sets or removes a variable that controls the sandbox.',
    why: 'Sandbox variables belong to the runner; what sets or removes one switches its protection off.',
    bad: 'Run CODEX_SANDBOX= npm test.',
    good: 'Run npm test.',
    fix: 'Take it out.',
  },
  check: (project: LintProject) => project.files.flatMap(check),
};

/** Reading such a variable is fine. */
function check(file: LintFile): readonly Report[] {
  const { source } = file;
  if (!source.mayHold('sandbox')) return [];
  const isClosing = ruleAt(file, ({ effect }) => effect !== 'allow');
  const headEnd =
    file.kind === 'agent' || file.kind === 'text' ? file.bodyStart : file.kind === 'config' ? source.text.length : 0;
  const members = [...source.text.slice(0, headEnd).matchAll(MEMBER)];
  const isMember = (index: number) => members.some((one) => index >= one.index && index < one.index + one[0].length);
  const others = [...source.text.matchAll(MUTATION)].filter(({ index }) => !isMember(index));
  return [...members, ...others].flatMap(({ index, 0: found }) => {
    if (ON.some((on) => on.test(found)) || isClosing(index) || isToldElsewhere(file, index)) return [];
    const isForbidden = FORBIDS.test(sentenceBefore(source.text, index));
    return [
      {
        at: source.span(index, index + found.length),
        message: `${found} changes the sandbox of the runner.`,
        ...(isForbidden && { severity: 'info' as const }),
      },
    ];
  });
}

/** A key of settings belongs to codex/danger-full-access and sandbox/switched-off; one in a comment of Codex sets nothing. */
function isToldElsewhere(file: LintFile, index: number): boolean {
  if (file.kind === 'config' && /^["']sandbox/.test(file.source.text.slice(index, index + 8))) return true;
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
