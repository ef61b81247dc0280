import type { ConfigFile } from '../../files/files.js';
import type { ConfigKind } from '../../places/place.js';
import { forConfigs, type LintRule, type Report } from '../../project/rule.js';
import { counted, isManaged, lostWith } from '../../settings/lost.js';
import type { Fix } from '../../text/finding.js';

/** The name of each runner that rejects such a file; for other kinds, comments are accepted, or nobody has checked. */
const READERS: Partial<Readonly<Record<ConfigKind, string>>> = {
  'claude-settings': 'Claude Code',
  'claude-hooks': 'Claude Code',
  'claude-plugin': 'Claude Code',
  'claude-marketplace': 'Claude Code',
  mcp: 'Claude Code',
  'codex-hooks': 'Codex',
  'copilot-hooks': 'Copilot CLI',
};

export const jsonNotStrict: LintRule = {
  id: 'settings/json-not-strict',
  severity: 'error',
  docs: {
    what: 'A comment or a trailing comma stands in a file that its runner reads as strict JSON.',
    why: 'Claude Code, Codex and Copilot CLI ignore the whole file then, with its deny rules and hooks; others read over both.',
    bad: '{\n  // no secrets\n  "permissions": { "deny": ["Read(./.env)"], }\n}\n',
    good: '{\n  "permissions": { "deny": ["Read(./.env)"] }\n}\n',
    fix: 'Take the comments and the trailing commas out.',
  },
  check: forConfigs(check),
};

function check(file: ConfigFile): readonly Report[] {
  const runner = READERS[file.config];
  const loose = file.mistakes.filter(({ what }) => what === 'comment' || what === 'trailing-comma');
  const [first] = loose;
  if (runner === undefined || first === undefined) return [];
  const comments = loose.filter(({ what }) => what === 'comment').length;
  const found = [counted(comments, 'comment'), counted(loose.length - comments, 'trailing comma')].filter((text) => text !== '');
  const has = `strict JSON has no ${comments > 0 ? 'comments' : 'trailing commas'}, and here ${loose.length === 1 ? 'is' : 'are'} ${found.join(' and ')}`;
  const does = isManaged(file.path)
    ? 'does not start'
    : `ignores this whole file${file.config === 'claude-settings' ? `, with ${lostWith(file)}` : ''}`;
  const fix = withoutThem(file);
  return [
    {
      at: file.source.span(first.offset, first.offset + first.length),
      message: `${runner} ${does}: ${has}.`,
      ...(fix !== null && { fix }),
    },
  ];
}

/** Null if the file has other mistakes: the result would still not be JSON. */
function withoutThem({ mistakes, source, path }: ConfigFile): Fix | null {
  if (mistakes.length >= 100 || mistakes.some(({ what }) => what === 'syntax' || what === 'limit')) return null;
  const { text } = source;
  const edits = mistakes.flatMap(({ what, offset, length }) => {
    if (what === 'trailing-comma') return [{ file: path, start: offset, end: offset + length, text: '' }];
    if (what !== 'comment') return [];
    const { start, end } = wholeLines(text, offset, offset + length);
    return [{ file: path, start, end, text: '' }];
  });
  return { description: 'Take comments and trailing commas out', edits };
}

/** A comment on lines of its own is removed with its lines; any other with the blanks before it. */
function wholeLines(text: string, from: number, to: number): { readonly start: number; readonly end: number } {
  let start = from;
  while (start > 0 && (text[start - 1] === ' ' || text[start - 1] === '\t')) start--;
  const isFirst = start === 0 || text[start - 1] === '\n' || text[start - 1] === '\r';
  const lineEnd = /^[ \t]*(?:\r\n|\n|\r)/.exec(text.slice(to, to + 256))?.[0];
  if (isFirst) return lineEnd === undefined ? { start: from, end: to } : { start, end: to + lineEnd.length };
  return { start, end: to };
}
