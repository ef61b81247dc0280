import type { RunnerId } from '../../../call/tool-call.js';
import { traitsOf } from '../../../call/traits.js';
import type { ConfigFile } from '../../../lint/files/files.js';
import { forConfigs, type LintRule, type Report } from '../../../lint/project/rule.js';

export const emptyCore: LintRule = {
  id: 'settings/empty-core',
  severity: 'warning',
  confidence: 'high',
  persona: 'author',
  docs: {
    what: 'The list `tools.core` is empty.',
    why: 'Gemini CLI then has none of its own tools; Qwen Code takes an empty list for none, and has them all.',
    bad: '# .gemini/settings.json\n{ "tools": { "core": [] } }\n',
    good: '# .gemini/settings.json\n{ "tools": { "core": ["read_file", "glob"] } }\n',
    fix: 'Name the tools that are meant, or take the list out.',
    source: 'the programs themselves: `getCoreTools` and `coreToolsAllowList`',
    verifiedOn: 'Gemini CLI 0.61.0 and Qwen Code 0.24.4',
    runners: ['gemini-cli', 'qwen-code'],
  },
  check: forConfigs(check),
};

const MEANING: Readonly<Partial<Record<RunnerId, string>>> = {
  'gemini-cli': 'has none of its own tools with this empty list',
  'qwen-code': 'passes over this empty list, and has all of its tools',
};

function check({ config, runner, data }: ConfigFile): readonly Report[] {
  const meaning = runner === null || !config.endsWith('-settings') ? undefined : MEANING[runner];
  const list = data?.at('/tools/core');
  if (meaning === undefined || runner === null || data === null || !Array.isArray(list) || list.length > 0) return [];
  return [{ at: data.valueSpan('/tools/core'), message: `${traitsOf(runner).title} ${meaning}.` }];
}
