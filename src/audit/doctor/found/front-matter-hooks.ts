/**
 * Hooks in the front matter of a project's agents, skills and commands. Claude Code activates them when the agent starts or the skill is
 * loaded, even if nobody trusted the folder (skills: 2.1.197, 2.1.330). Qwen Code does the same with agents and skills (0.24.4).
 */

import { join } from 'node:path';
import { splitFrontMatter } from '../../../agent/front-matter.js';
import { isFields, own } from '../../../call/fields.js';
import type { RunnerId } from '../../../call/tool-call.js';
import { traitsOf } from '../../../call/traits.js';
import { folderEntries } from '../../../disk/folder-entries.js';
import { jsonValue, lineOf } from '../../../disk/json-text.js';
import { readText } from '../../../disk/read.js';
import type { InstallPlaces } from '../../../install/target.js';
import { parseLocated } from '../../../policy/read/located.js';
import { handlersOf } from './other-handlers.js';
import type { HookEvents, OtherHook } from './other-hook.js';

const MOST_ENTRIES = 2_000;
const MOST_DEPTH = 8;
const MOST_HOOKS = 16;

/** Returns the hooks of the project. The person's own agents and skills are trusted, like their settings. */
export function frontMatterHooks(id: RunnerId, events: HookEvents, places: InstallPlaces): readonly OtherHook[] {
  const budget = { left: MOST_ENTRIES };
  const { folders = [], anyEvent = false } = traitsOf(id).frontMatterHooks ?? {};
  return folders
    .flatMap((name) => markdownIn(join(places.project, name), MOST_DEPTH, budget))
    .flatMap((file) => hooksIn(file, events, anyEvent, places));
}

function markdownIn(folder: string, depth: number, budget: { left: number }): readonly string[] {
  const files: string[] = [];
  for (const entry of folderEntries(folder) ?? []) {
    budget.left -= 1;
    if (budget.left < 0) break;
    const path = join(folder, entry.name);
    // A symlink to a folder may lead in a circle: only the skill file that it would contain is examined.
    if (entry.isSymbolicLink()) files.push(entry.name.endsWith('.md') ? path : join(path, 'SKILL.md'));
    else if (entry.isDirectory()) files.push(...(depth === 0 ? [] : markdownIn(path, depth - 1, budget)));
    else if (entry.name.endsWith('.md')) files.push(path);
  }
  return files;
}

function hooksIn(file: string, events: HookEvents, isEvery: boolean, places: InstallPlaces): readonly OtherHook[] {
  const read = readText(file);
  if (!read.ok || !read.text.includes('---')) return [];
  const split = splitFrontMatter(read.text);
  const yaml = split.ok ? parseLocated(split.yaml, 'yaml') : null;
  if (!split.ok || yaml === null || !yaml.ok) return unread(file, read.text, events, isEvery);
  const hooks = isFields(yaml.data) ? own(yaml.data, 'hooks') : undefined;
  if (!isFields(hooks)) return [];
  const named = new Set(events.map(([event]) => event));
  const others = isEvery ? Object.keys(hooks).filter((event) => !named.has(event)) : [];
  return [...events, ...others.map((event) => [event, 'other-event'] as const)]
    .flatMap(([event, kind]) =>
      handlersOf(jsonValue(own(hooks, event)), false, places).map(({ what, form, matcher, path }): OtherHook => {
        const { line } = yaml.keyAt(`/${['hooks', event, ...path].join('/')}`);
        const place = { file, line: line + split.yamlLine - 1, ofProject: true };
        // The client may turn a value that is not a string into a command.
        if (isEvery && form === 'other' && what === 'command')
          return { ...place, what: 'a command in it is not text', form, kind: 'unread' };
        return { ...place, what, form, kind, event, matcher };
      }),
    )
    .slice(0, MOST_HOOKS);
}

/** The client reads some front matter that is not YAML; then the name of an event is the only clue. */
function unread(file: string, text: string, events: HookEvents, isEvery: boolean): readonly OtherHook[] {
  const [head = ''] = /^\uFEFF?\s*---[\s\S]*?(?:\n---|$)/.exec(text) ?? [];
  const names = /(?:^|[\s{,"'])hooks["']?\s*:/.exec(head);
  if (names === null) return [];
  const found = { file, what: 'its front matter is not YAML', form: 'other', ofProject: true } as const;
  if (isEvery) return [{ ...found, line: lineOf(text, names.index), kind: 'unread' }];
  return events.flatMap(([event, kind]) => {
    const at = head.indexOf(event);
    return at < 0 ? [] : [{ ...found, line: lineOf(text, at), kind }];
  });
}
