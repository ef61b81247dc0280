import type { RiskyValue } from '../../project/risky.js';
import { forRisky, type LintRule, type Report } from '../../project/rule.js';

export const programVariable: LintRule = {
  id: 'settings/program-variable',
  severity: 'warning',
  persona: 'reviewer',
  docs: {
    what: 'Settings of a project set a variable that decides which program runs.',
    why: 'With PATH, LD_PRELOAD, GIT_SSH_COMMAND and their like another program runs than the one that a rule allowed.',
    bad: '{ "env": { "GIT_SSH_COMMAND": "./tools/ssh" } }\n',
    good: '{ "env": { "CI": "1" } }\n',
    fix: 'Take the variable out of the settings of the project.',
  },
  check: forRisky('settings/program-variable', check),
};

/**
 * Values that start no program of the project: a harmless pager or editor, memory limits and warnings of node. Each word of a
 * value is compared.
 */
const PLAIN: Readonly<Record<string, RegExp>> = {
  GIT_PAGER: /^(?:cat|less|more|)$/,
  GIT_EDITOR: /^(?:true|:|vi|vim|nano|cat)$/,
  NODE_OPTIONS:
    /^(?:--(?:max-old-space-size|max-semi-space-size|stack-trace-limit|unhandled-rejections|dns-result-order|disable-warning)=\w+|--(?:no-warnings|no-deprecation|enable-source-maps|trace-warnings|experimental-vm-modules)|)$/,
  SHELL: /^\/(?:usr\/)?bin\/(?:ba|z|da)?sh$/,
};

function check({ data, pointer, key, value, says }: RiskyValue): readonly Report[] {
  const plain = Object.hasOwn(PLAIN, key) ? PLAIN[key] : undefined;
  const words = String(value).slice(0, 1_000).split(/\s/);
  if (plain !== undefined && words.every((word) => plain.test(word))) return [];
  const severity = key === 'PYTHONPATH' ? { severity: 'info' as const } : {};
  return [{ at: data.valueSpan(pointer), message: `${key} in the settings of a project ${says}.`, ...severity }];
}
