/** Commands that are allowed with any arguments, in the notation of every format that can express this. */
import { isFields } from '../../call/fields.js';
import { pointerTo } from '../../policy/read/pointer.js';
import { toolsCovered } from '../../rule/pattern/tool-coverage.js';
import { isAboutCommands } from '../../rule/rule-set.js';
import { argumentSpan, prefixRules } from '../codex/rules-file.js';
import type { LintFile } from '../files/files.js';
import { permissionMaps } from '../opencode/agents.js';
import { allRulesOf, type LintProject, oncePerProject, type RuleInFile } from '../project/project.js';
import type { Span } from '../text/finding.js';

/** An allowed command that ends with a wildcard. */
export interface OpenGrant {
  /** The words before the wildcard; several if one rule lists alternatives. */
  readonly prefixes: readonly (readonly string[])[];
  /** As written. */
  readonly text: string;
  readonly at: Span;
  readonly file: LintFile;
  /** The same client may write every file with a tool of its own, without a question. */
  readonly mayEdit?: boolean;
}

/** Returns the open grants of policies, definitions and settings. */
export const openGrants = oncePerProject((project): readonly OpenGrant[] => {
  const whole = filesWithWholeShell(project);
  const every = [...ofRules(project), ...ofPrograms(project), ...ofCodex(project), ...ofOpenCode(project)];
  // Beside a rule for every command the others add nothing.
  return every.filter(({ file }) => !whole.has(file));
});

/** Returns the words before the final wildcard of a pattern; null without one, or when it is alone. */
export function openWords(pattern: string): readonly string[] | null {
  const words = /^(.*?\S)\s*:?\*+$/s.exec(pattern)?.[1];
  return words === undefined ? null : words.split(/\s+/).filter((word) => word !== '');
}

/** Returns the files in which one rule allows every command. */
function filesWithWholeShell(project: LintProject): ReadonlySet<LintFile> {
  return new Set(
    allRulesOf(project).flatMap(({ rule, file }) => {
      const isWhole = rule.pattern === null || /^:?\*+$/.test(rule.pattern);
      return rule.effect === 'allow' && isWhole && isAboutCommands(rule, toolsCovered) ? [file] : [];
    }),
  );
}

/** Allow rules for the shell that end with a wildcard. */
function ofRules(project: LintProject): OpenGrant[] {
  const writers = new Set(allRulesOf(project).flatMap((rule) => (allowsWriting(rule) ? [rule.file] : [])));
  return allRulesOf(project).flatMap(({ rule, span, file }) => {
    if (rule.effect !== 'allow' || rule.pattern === null || !isAboutCommands(rule, toolsCovered)) return [];
    const words = openWords(rule.pattern);
    return words === null ? [] : [{ prefixes: [words], text: rule.text, at: span, file, mayEdit: writers.has(file) }];
  });
}

/** A rule that lets the client write any file of the project. */
function allowsWriting({ rule: { effect, tool, pattern } }: RuleInFile): boolean {
  return effect === 'allow' && /^(?:Edit|Write)$/.test(tool) && (pattern === null || /^\*+$/.test(pattern));
}

/** Programs that a codex-yaml definition may start. */
function ofPrograms({ agents }: LintProject): OpenGrant[] {
  return agents
    .filter(({ format }) => format === 'codex-yaml')
    .flatMap((file) =>
      [...(file.data?.items('/tools/shell', ',') ?? []), ...(file.data?.items('/tools/shell/exec', ',') ?? [])].map(
        ({ text, span }) => ({ prefixes: [text.split(/\s+/)], text, at: span, file }),
      ),
    );
}

/** The maximum number of prefixes for one rule with alternatives. */
const MOST_ALTERNATIVES = 32;

/** Every Codex rule is a prefix. */
function ofCodex(project: LintProject): OpenGrant[] {
  return prefixRules(project).flatMap(({ call, decision, pattern }): OpenGrant[] => {
    if (decision !== 'allow') return [];
    let prefixes: string[][] = [[]];
    for (const words of pattern)
      prefixes = prefixes.flatMap((prefix) => words.map((word) => [...prefix, word])).slice(0, MOST_ALTERNATIVES);
    const text = pattern.map((words) => words.join('|')).join(' ');
    return [{ prefixes, text, at: argumentSpan(call, 'pattern'), file: call.file }];
  });
}

/** `"awk *": "allow"` in a map of OpenCode; entries that a later `*` overrides are omitted, since the last entry wins. */
function ofOpenCode(project: LintProject): OpenGrant[] {
  return permissionMaps(project).flatMap(({ file, data, pointer }) => {
    const above = `${pointer}/bash`;
    const map = data.at(above);
    if (!isFields(map)) return [];
    const patterns = Object.keys(map);
    const edit = [`${pointer}/edit`, `${pointer}/*`, '/permission/edit', '/permission/*'].map((one) => data.at(one));
    const mayEdit = (edit.find((one) => one !== undefined) ?? 'allow') === 'allow';
    const star = map['*'] === 'allow' ? -1 : patterns.lastIndexOf('*');
    return patterns.slice(star + 1).flatMap((text): OpenGrant[] => {
      const words = map[text] === 'allow' ? openWords(text) : null;
      return words === null ? [] : [{ prefixes: [words], text, at: data.keySpan(pointerTo(above, text)), file, mayEdit }];
    });
  });
}
