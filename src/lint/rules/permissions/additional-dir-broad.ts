import { pointerTo } from '../../../policy/read/pointer.js';
import { shown } from '../../../policy/sentences.js';
import type { ConfigFile } from '../../files/files.js';
import type { LintRule, Report } from '../../project/rule.js';

export const additionalDirBroad: LintRule = {
  id: 'permissions/additional-dir-broad',
  severity: 'warning',
  persona: 'reviewer',
  docs: {
    what: 'Settings of Claude Code open a whole disk or home folder.',
    why: 'A folder of additionalDirectories is read without a prompt like the project itself: keys, tokens and other projects of a home folder included.',
    bad: '{ "permissions": { "additionalDirectories": ["~"] } }\n',
    good: '{ "permissions": { "additionalDirectories": ["../shared-docs"] } }\n',
    fix: 'Name the folder that is needed.',
  },
  check: (project) => project.configs.flatMap(check),
};

const LIST = '/permissions/additionalDirectories';
const MOST_FOLDERS = 1_000;
const HOME = String.raw`~|\$\{?HOME\}?|\/(?:home|Users)(?:\/[^/]+)?|\/root|[A-Za-z]:[\\/]+Users(?:[\\/]+[^\\/]+)?`;
const BROAD = new RegExp(String.raw`^(?:\/|\/etc|[A-Za-z]:|${HOME})[\\/]*\**$`);

function check({ config, data }: ConfigFile): readonly Report[] {
  const list = config === 'claude-settings' ? data?.at(LIST) : undefined;
  if (data === null || !Array.isArray(list)) return [];
  return list.slice(0, MOST_FOLDERS).flatMap((folder: unknown, index): Report[] => {
    if (typeof folder !== 'string' || !BROAD.test(folder.trim())) return [];
    const message = `${shown(folder)} is more than a project needs: everything below it is read without a prompt.`;
    return [{ at: data.valueSpan(pointerTo(LIST, index)), message }];
  });
}
