import { isFields } from '../../../call/fields.js';
import type { AgentFile, ConfigFile } from '../../../lint/files/files.js';
import { type PermissionMap, permissionMaps } from '../../../lint/opencode/agents.js';
import type { LintProject } from '../../../lint/project/project.js';
import type { LintRule, Report } from '../../../lint/project/rule.js';
import type { LocatedText } from '../../../lint/text/located-text.js';
import { pointerTo } from '../../../policy/read/pointer.js';
import { shown } from '../../../policy/sentences.js';

export const opencodeStarNotFirst: LintRule = {
  id: 'opencode/star-not-first',
  severity: 'warning',
  docs: {
    what: 'A * stands behind other entries of a permission map and hides them.',
    why: 'In OpenCode the last entry that matches wins, so everything above a * has no effect (verified with 1.18). A deny above `"*": allow` denies nothing.',
    bad: '---\ndescription: Reviews changes.\nmode: subagent\npermission:\n  bash:\n    "git push*": deny\n    "*": allow\n---\nRead the diff first.\n',
    good: '---\ndescription: Reviews changes.\nmode: subagent\npermission:\n  bash:\n    "*": allow\n    "git push*": deny\n---\nRead the diff first.\n',
    fix: 'Move the * to the top of the map.',
  },
  check: (project: LintProject) => permissionMaps(project).flatMap(check),
};

function check({ file, data, pointer }: PermissionMap): readonly Report[] {
  const permission = data.at(pointer);
  if (!isFields(permission)) return [];
  const inner = Object.keys(permission).map((key) => pointerTo(pointer, key));
  return [pointer, ...inner].flatMap((one) => starBelow(file, data, one));
}

const STRICTNESS = ['allow', 'ask', 'deny'];

/** Hidden denials are an error, because somebody relies on them. */
function starBelow(file: AgentFile | ConfigFile, data: LocatedText, pointer: string): readonly Report[] {
  const map = data.at(pointer);
  if (!isFields(map)) return [];
  const keys = Object.keys(map);
  const star = keys.lastIndexOf('*');
  const action = map['*'];
  if (star < 1 || typeof action !== 'string') return [];
  // In an object, integer keys come first, whatever their place in the file.
  const above = keys.slice(0, star).filter((key) => !/^\d+$/.test(key) && isOther(map[key], action));
  if (above.length === 0) return [];
  const lost = above.filter((key) => isStricter(map[key], action));
  const named = (lost.length > 0 ? lost : above).slice(0, 3).map(shown).join(', ');
  const more = (lost.length > 0 ? lost : above).length > 3 ? ' and others' : '';
  const message = `The last entry that matches wins, so this * hides ${named}${more} above it.`;
  // Moving a strict * up would allow what it hides now.
  const isSafe = above.every((key) => isStricter(map[key], action) || map[key] === action);
  const fix = isSafe ? moved(file, data, pointer, keys) : null;
  const at = data.keySpan(pointerTo(pointer, '*'));
  return [{ at, message, ...(lost.length > 0 ? { severity: 'error' as const } : {}), ...(fix === null ? {} : { fix }) }];
}

/** Returns a fix that moves the line of the `*` above the first entry; for YAML maps with one entry per line. */
function moved({ path, kind, source }: AgentFile | ConfigFile, data: LocatedText, pointer: string, keys: readonly string[]) {
  if (kind !== 'agent') return null;
  const lineOf = (key: string) => data.keySpan(pointerTo(pointer, key)).line;
  const [first, star] = [lineOf(keys[0] ?? ''), lineOf('*')];
  const text = source.lines[star - 1] ?? '';
  const indent = /^[ \t]*/.exec(source.lines[first - 1] ?? '')?.[0] ?? '';
  if (star <= first || !/^[ \t]*(["'])\*\1[ \t]*:[ \t]*[a-z]+[ \t]*$/.test(text) || !text.startsWith(indent)) return null;
  const [to, from] = [source.offsetAt({ line: first, column: 1 }), source.offsetAt({ line: star, column: 1 })];
  const end = source.offsetAt({ line: star + 1, column: 1 });
  const line = source.text.slice(from, end);
  const edits = [
    { file: path, start: to, end: to, text: line },
    { file: path, start: from, end, text: '' },
  ];
  return { description: 'Move the * to the top', edits };
}

function isOther(entry: unknown, action: string): boolean {
  return isFields(entry) || (typeof entry === 'string' && entry !== action);
}

/** True for an entry that denies or asks while the `*` allows more. */
function isStricter(entry: unknown, action: string): boolean {
  if (isFields(entry)) return Object.values(entry).some((inner) => isStricter(inner, action));
  return typeof entry === 'string' && STRICTNESS.indexOf(entry) > STRICTNESS.indexOf(action);
}
