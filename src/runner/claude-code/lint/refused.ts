import { isFields } from '../../../call/fields.js';
import type { ConfigFile } from '../../../lint/files/files.js';
import { forConfigs, type LintRule, type Report } from '../../../lint/project/rule.js';
import type { LocatedText } from '../../../lint/text/located-text.js';
import { pointerTo } from '../../../policy/read/pointer.js';
import { shown } from '../../../policy/sentences.js';

export const pluginRefused: LintRule = {
  id: 'plugins/refused',
  severity: 'error',
  byFolder: true,
  docs: {
    what: 'The manifest of a plugin, or a marketplace, has a value that Claude Code refuses.',
    why: 'Claude Code refuses the whole plugin or marketplace: its agents, skills, commands and hooks are missing.',
    bad: '# .claude-plugin/plugin.json\n{ "name": "reviews", "agents": "./agents/" }\n',
    good: '# .claude-plugin/plugin.json\n{ "name": "reviews", "agents": ["./agents/reviewer.md"] }\n',
    fix: 'Write the value as Claude Code reads it, or leave it out: agents, skills, commands and hooks at the usual places are found without it.',
    source: 'claude plugin validate',
    verifiedOn: 'Claude Code 2.1.332',
    runners: ['claude-code'],
  },
  check: forConfigs(check),
};

/** Returns why a value is refused, to follow "Claude Code refuses this plugin: NAME"; null for a good one. */
type Check = (value: unknown) => string | null;

const isA =
  (type: 'string' | 'object', words: string): Check =>
  (value) =>
    (type === 'object' ? isFields(value) : typeof value === type) ? null : `has to be ${words}`;
const text = isA('string', 'a text');
const texts: Check = (value) =>
  Array.isArray(value) && value.every((one) => typeof one === 'string') ? null : 'has to be a list of texts';

function path(value: string, ending = ''): string | null {
  if (!value.startsWith('./')) return `has to begin with ./, and ${shown(value)} does not`;
  if (value.split(/[\\/]/).includes('..')) return `must not lead out of the plugin, as ${shown(value)} does`;
  return value.endsWith(ending) ? null : `has to name files that end in ${ending}, and ${shown(value)} does not`;
}

/** One path or a list of paths; `maps`: or a map, or a list with maps. */
const paths =
  ({ ending = '', maps = false } = {}): Check =>
  (value) => {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (maps && isFields(one)) continue;
      const why = typeof one === 'string' ? path(one, ending) : 'has to be a path or a list of paths';
      if (why !== null) return why;
    }
    return null;
  };

const CHECKS: Readonly<Record<string, Check>> = {
  name: (value) => text(value) ?? (/\s/.test(String(value)) ? 'must not contain blanks' : null),
  ...{ version: text, description: text, repository: text, license: text, keywords: texts },
  author: isA('object', 'a map with a name'),
  homepage: (value) => text(value) ?? (URL.canParse(String(value)) ? null : 'has to be an address'),
  agents: paths({ ending: '.md' }),
  commands: paths({ maps: true }),
  skills: paths(),
  hooks: paths({ maps: true }),
  mcpServers: paths({ maps: true }),
};

/** What `claude plugin validate` refuses in a marketplace (2.1.197 and 2.1.332). */
function checkMarketplace(data: LocatedText): readonly Report[] {
  const { root } = data;
  if (!isFields(root)) return [];
  const refused = (pointer: string, why: string): Report => ({
    at: data.valueSpan(pointer),
    message: `Claude Code refuses this marketplace: ${why}.`,
  });
  const { name, owner, plugins } = root;
  const names = new Set<unknown>();
  const ofPlugins = (Array.isArray(plugins) ? plugins.slice(0, MOST_PLUGINS) : []).flatMap((plugin: unknown, index) => {
    if (!isFields(plugin)) return [];
    const { name: own, source, skills } = plugin;
    const at = pointerTo('/plugins', index);
    const isTwice = own !== undefined && names.has(own);
    names.add(own);
    const isPath = typeof source === 'string' && source.includes('/');
    const isWrong = Array.isArray(skills) && skills.some((skill) => typeof skill !== 'string');
    return [
      ...(isTwice ? [refused(`${at}/name`, `two plugins have the name ${shown(own)}`)] : []),
      ...[isPath ? (path(source)?.replace('out of the plugin', 'up with ..') ?? null) : null].flatMap((why) =>
        why === null ? [] : [refused(`${at}/source`, `source ${why}`)],
      ),
      ...(isWrong ? [refused(`${at}/skills`, 'skills has to be a path or a list of paths')] : []),
    ];
  });
  return [
    ...(typeof name === 'string' && name.includes(' ') ? [refused('/name', 'name must not contain blanks')] : []),
    ...(owner === undefined
      ? [refused('', 'it has no owner')]
      : isFields(owner)
        ? []
        : [refused('/owner', 'owner has to be a map with a name')]),
    ...ofPlugins,
  ];
}

const MOST_PLUGINS = 500;

function check({ config, data }: ConfigFile): readonly Report[] {
  if (config === 'claude-marketplace' && data !== null) return checkMarketplace(data);
  if (config !== 'claude-plugin' || !isFields(data?.root)) return [];
  const { root } = data;
  const refused = Object.entries(CHECKS).flatMap(([key, wrong]): readonly Report[] => {
    const why = Object.hasOwn(root, key) ? wrong(root[key]) : null;
    if (why === null) return [];
    return [{ at: data.valueSpan(pointerTo('', key)), message: `Claude Code refuses this plugin: ${key} ${why}.` }];
  });
  if (Object.hasOwn(root, 'name')) return refused;
  return [...refused, { at: data.valueSpan(''), message: 'Claude Code refuses this plugin: it has no name.' }];
}
