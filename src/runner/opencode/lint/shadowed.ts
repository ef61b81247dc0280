import { isFields } from '../../../call/fields.js';
import { type PermissionMap, permissionMaps } from '../../../lint/opencode/agents.js';
import type { LintRule, Report } from '../../../lint/project/rule.js';
import { pointerTo } from '../../../policy/read/pointer.js';
import { shown } from '../../../policy/sentences.js';
import { inclusionOf, literal, ONE, optional, type Row, RUN } from '../../../rule/inclusion/language.js';

export const opencodeShadowed: LintRule = {
  id: 'opencode/shadowed',
  severity: 'warning',
  docs: {
    what: 'A later, wider entry of a permission map hides an earlier one.',
    why: 'In OpenCode the last entry that matches wins. A deny of `git push *` above `"git *": allow` denies nothing.',
    bad: '---\ndescription: Reviews changes.\nmode: subagent\npermission:\n  bash:\n    "git push *": deny\n    "git *": allow\n---\nRead the diff first.\n',
    good: '---\ndescription: Reviews changes.\nmode: subagent\npermission:\n  bash:\n    "git *": allow\n    "git push *": deny\n---\nRead the diff first.\n',
    fix: 'Move the wider entry above the narrower one.',
    source: 'opencode.ai/docs: permissions',
    verifiedOn: 'OpenCode 1.18.33',
    runners: ['opencode'],
  },
  check: (project) => permissionMaps(project).flatMap(check),
};

/** At most this many entries of one map are compared. */
const MOST = 100;
const STRICTNESS = ['allow', 'ask', 'deny'];

/** opencode/star-not-first tells of `*` alone. */
function check({ data, pointer }: PermissionMap): readonly Report[] {
  const permission = data.at(pointer);
  if (!isFields(permission)) return [];
  return Object.keys(permission).flatMap((tool) => {
    const above = pointerTo(pointer, tool);
    const map = data.at(above);
    if (!isFields(map)) return [];
    // In an object, integer keys come first, whatever their place in the file.
    const entries = Object.entries(map).filter(([key]) => !/^(?:\d+|\*+)$/.test(key));
    return entries.slice(0, MOST).flatMap(([key, action], at): Report[] => {
      const later = entries.slice(at + 1, MOST).find(([other, own]) => own !== action && isWithin(key, other));
      if (later === undefined) return [];
      const [other, own] = later;
      const place = data.keySpan(pointerTo(above, other));
      const lost = STRICTNESS.indexOf(String(action)) > STRICTNESS.indexOf(String(own));
      return [
        {
          at: data.keySpan(pointerTo(above, key)),
          message: `The last entry that matches wins, so ${shown(other)} below hides this one: it is ${shown(own)}.`,
          related: [{ message: 'this one wins', file: place.file, line: place.line, column: place.column }],
          ...(lost && { severity: 'error' as const }),
        },
      ];
    });
  });
}

/** Whether a pattern matches everything that another one does. */
function isWithin(inner: string, outer: string): boolean {
  return inclusionOf([rowOf(inner)], [rowOf(outer)]).answer === 'included';
}

/** A blank and a `*` at the end may be missing (measured). */
function rowOf(pattern: string): Row {
  if (pattern.endsWith(' *')) return [...rowOf(pattern.slice(0, -2)), ...optional([...literal(' '), ...RUN])];
  return [...pattern.slice(0, 500)].flatMap((one) => (one === '*' ? RUN : one === '?' ? ONE : literal(one)));
}
