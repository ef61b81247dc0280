import type { ConfigFile } from '../../../lint/files/files.js';
import { forConfigs, type LintRule, type Report } from '../../../lint/project/rule.js';
import { isManaged, lostWith } from '../../../lint/settings/lost.js';
import { nestedHook } from '../../../lint/settings/nest-hook.js';
import { type SettingsMistake, settingsMistakes } from '../settings-mistakes.js';

export const discardedSettings: LintRule = {
  id: 'settings/discarded',
  severity: 'error',
  docs: {
    what: 'Claude Code ignores the whole settings file for one mistake in it, or the part that has it (a warning).',
    why: 'A wrong value anywhere takes every deny rule and every hook of the file with it; headless runs say nothing (measured with 2.1.197 and 2.1.332).',
    bad: '{\n  "permissions": { "defaultMode": "allowEdits", "deny": ["Read(./.env)"] }\n}\n',
    good: '{\n  "permissions": { "defaultMode": "acceptEdits", "deny": ["Read(./.env)"] }\n}\n',
    fix: 'Correct the value at the marked place; what the message names is in force again then.',
  },
  check: forConfigs(check),
};

function check(file: ConfigFile): readonly Report[] {
  if (file.config !== 'claude-settings') return [];
  const { data, source, mistakes, path } = file;
  const broken = mistakes.find(({ what }) => what === 'syntax');
  if (broken !== undefined) {
    const at = source.span(broken.offset, broken.offset + broken.length);
    const lost = lostWith(file);
    const message = isManaged(path)
      ? `Claude Code does not start: ${lowered(broken.message)}`
      : `Claude Code ignores this whole file, with ${lost}: ${lowered(broken.message)}`;
    return [{ at, message, help: 'Make the file valid JSON.' }];
  }
  return data === null ? [] : settingsMistakes(data).map((mistake) => reportOf(file, mistake, data));
}

function reportOf(
  file: ConfigFile,
  { pointer, why, newer, older, flat }: SettingsMistake,
  data: NonNullable<ConfigFile['data']>,
): Report {
  const at = data.valueSpan(pointer);
  if (isManaged(file.path))
    return { at, message: `Claude Code leaves this part of the managed settings out: ${why}.`, severity: 'warning' };
  const fix = flat === true ? nestedHook(file, pointer) : null;
  const does = {
    file: `ignores this whole file, with ${lostWith(file)}`,
    part: 'passes over this part of the file',
    nothing: 'does not mind',
  };
  const other = newer === older ? '' : newer === 'nothing' ? ' (2.1.332 does not mind.)' : ` (2.1.332; 2.1.197 ${does[older]}.)`;
  return {
    at,
    message: `Claude Code ${newer === 'nothing' ? `2.1.197 ${does[older]}` : does[newer]}: ${why}.${other}`,
    ...(newer !== 'file' && { severity: 'warning' as const }),
    ...(fix !== null && { fix }),
  };
}

function lowered(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}
