import type { LintFile } from '../../files/files.js';
import type { LintProject } from '../../project/project.js';
import type { LintRule, Report } from '../../project/rule.js';

export const ignoredExtension: LintRule = {
  id: 'discovery/ignored-extension',
  severity: 'warning',
  docs: {
    what: 'A file for coding agents has a place, a name or an ending that its runner does not read: an error for a whole definition.',
    why: 'For the runner the file does not exist, and it does not say so.',
    bad: '.claude/agents/reviewer.MD',
    good: '.claude/agents/reviewer.md',
    fix: 'Give it the place and the name that are read, or move it out of the folder.',
  },
  byFolder: true,
  check: check,
};

/** What another file includes: `!{cat notes.md}`, `@{notes.md}`, `@notes.md`, and the target of a link. */
const INCLUDED = /!\{[^}\n]{0,300}\}|@\{?[\w./-]{1,300}|\]\([^)\s]{1,300}\)/g;

function check({ files }: LintProject): readonly Report[] {
  const stray = files.filter((file) => file.kind === 'other' && file.stray !== null);
  const texts = stray.length === 0 ? [] : files.flatMap(({ source }) => source.text.match(INCLUDED) ?? []);
  const included = new Set(texts.flatMap((text) => text.match(/[\w-][\w.-]*\.\w+/g) ?? []));
  return files.flatMap((file) => {
    if (file.kind !== 'other' || file.stray === null || included.has(file.path.slice(file.path.lastIndexOf('/') + 1))) return [];
    const { isAgent, needsHead, says: message } = file.stray;
    if (needsHead ? !looksLikeDefinition(file) : file.source.text.trim() === '') return [];
    return [{ at: file.source.lineSpan(1), message, ...(isAgent && isDefinition(file) ? { severity: 'error' as const } : {}) }];
  });
}

/** A schema, an index or notes beside the agents are not definitions. */
function looksLikeDefinition({ path, source: { text } }: LintFile): boolean {
  const head = text.slice(0, HEAD);
  if (/\.txt$/i.test(path)) return isDefinition({ source: { text } });
  if (!/\.(?:ya?ml|json)$/i.test(path)) return head.trim() === '' || /^\s*---\s*$/m.test(head);
  return /^\s*"?name"?\s*:/m.test(head) && /^\s*"?(?:description|goal|prompt|instructions)"?\s*:/m.test(head);
}

/** Whether it starts like a definition, with a name and a description of its own: no other file does. */
function isDefinition({ source: { text } }: { readonly source: Pick<LintFile['source'], 'text'> }): boolean {
  const head = text.slice(0, HEAD);
  const fields = /^(?:---[ \t]*\r?\n)?([\s\S]*?)(?:^---[ \t]*\r?$|$(?![\s\S]))/m.exec(head)?.[1] ?? '';
  return /^name:[ \t]*\S/m.test(fields) && /^description:[ \t]*\S/m.test(fields);
}

/** The number of characters in which the front matter of a definition must begin. */
const HEAD = 4_096;
