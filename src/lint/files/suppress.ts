/** Findings that somebody accepted: by a comment on the line above, or by `lint.ignores` of a policy. */
import type { LintIgnore } from '../../policy/policy.js';
import { globMatch } from '../../rule/pattern/wildcard.js';
import type { Finding, Span } from '../text/finding.js';
import type { LintFile } from './files.js';

/** `# policy-disable-next-line rule, rule -- reason` in YAML and TOML, the same in `<!-- -->` in Markdown. */
const COMMENT = /^[ \t]*(?:#|<!--)[ \t]*policy-disable-next-line[ \t]+([a-z0-9/, \t-]{1,500}?)(?:[ \t]+--.*|[ \t]*-->.*)?[ \t]*$/;

export interface CommentedRule {
  readonly ruleId: string;
  readonly file: string;
  /** The line whose findings the comment accepts. */
  readonly line: number;
  readonly at: Span;
}

/** Returns every rule id that a file's comments name, in their order. JSON has no comments. */
export function commentsOf(file: LintFile): CommentedRule[] {
  if (file.kind === 'other' || (file.kind === 'policy' && file.format === 'json')) return [];
  if (file.kind === 'config' && /\.jsonc?$/.test(file.path)) return [];
  if (!file.source.mayHold('comment')) return [];
  return file.source.lines.flatMap((text, index) => {
    if (!text.includes('policy-disable-next-line')) return [];
    const named = COMMENT.exec(text)?.[1] ?? '';
    return named
      .split(/[,\s]+/)
      .filter((ruleId) => ruleId !== '')
      .map((ruleId) => {
        const start = file.source.offsetAt({ line: index + 1, column: text.indexOf(ruleId) + 1 });
        return { ruleId, file: file.path, line: index + 2, at: file.source.span(start, start + ruleId.length) };
      });
  });
}

/** Whether an entry of `lint.ignores` accepts a finding. An entry whose `expires` is before `today` accepts nothing. */
export function isIgnored(finding: Finding, ignore: LintIgnore, file: LintFile | undefined, today: string): boolean {
  if (ignore.rule !== finding.ruleId) return false;
  if (ignore.expires !== undefined && ignore.expires < today) return false;
  if (ignore.path !== undefined && !globMatch(ignore.path, finding.location.file)) return false;
  if (ignore.match !== undefined && !isAbout(finding, ignore.match, file)) return false;
  return ignore.pointer === undefined || (file?.data?.isAt(ignore.pointer, finding.location.line) ?? false);
}

/** Whether a string is at the place of the finding, or in its message. */
function isAbout(finding: Finding, text: string, file: LintFile | undefined): boolean {
  if (finding.message.includes(text)) return true;
  if (file === undefined) return false;
  const { line, column, endLine, endColumn } = finding.location;
  const [start, end] = [file.source.offsetAt({ line, column }), file.source.offsetAt({ line: endLine, column: endColumn })];
  return file.source.text.slice(start, end).includes(text);
}
