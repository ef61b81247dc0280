import type { RunnerId } from '../../../call/tool-call.js';
import { traitsOf } from '../../../call/traits.js';
import { reportTogether } from '../../../lint/agents/several.js';
import { toolStanding } from '../../../lint/claude-rules/known-tools.js';
import type { ConfigFile } from '../../../lint/files/files.js';
import { forConfigs, type LintRule, type Report } from '../../../lint/project/rule.js';
import type { LocatedText } from '../../../lint/text/located-text.js';
import { suggester } from '../../../lint/text/suggest.js';
import { shown } from '../../../policy/sentences.js';

export const emptyCore: LintRule = {
  id: 'settings/empty-core',
  severity: 'warning',
  docs: {
    what: 'The list `tools.core` is empty, or a list of tools has names of other clients.',
    why: 'Gemini CLI then has none of its own tools; Qwen Code takes an empty list for none, and has them all. Gemini CLI compares names letter by letter: `Bash` excludes nothing.',
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
  if (meaning === undefined || runner === null || data === null) return [];
  const list = data.at('/tools/core');
  if (Array.isArray(list) && list.length === 0)
    return [{ at: data.valueSpan('/tools/core'), message: `${traitsOf(runner).title} ${meaning}.` }];
  return runner === 'gemini-cli' ? ['/tools/core', '/tools/exclude'].flatMap((pointer) => foreignEntries(data, pointer)) : [];
}

const suggest = suggester();

/** Names of other clients: Gemini CLI compares letter by letter (`getCoreTools`). */
function foreignEntries(data: LocatedText, pointer: string): readonly Report[] {
  const mistakes = data.items(pointer, '').flatMap(({ text, span }) => {
    const standing = toolStanding(text.replace(/\(.*$/s, ''), 'gemini-cli', new Set(), suggest);
    if (standing.known || !standing.foreign) return [];
    return [{ text, span, ...(standing.suggestion !== null && { note: standing.suggestion }) }];
  });
  const effect = pointer.endsWith('core') ? 'gives' : 'excludes';
  const report = reportTogether(
    mistakes,
    ({ text }) => `Gemini CLI has no tool ${shown(text)}, so this ${effect} nothing.`,
    (count, names) => `Gemini CLI has none of these tools, so these ${count} ${effect.slice(0, -1)} nothing: ${names}.`,
  );
  return report === null
    ? []
    : [{ ...report, help: 'Write the names of Gemini CLI: read_file, grep_search, run_shell_command.' }];
}
