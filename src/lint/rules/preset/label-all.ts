import { isFields } from '../../../call/fields.js';
import { pointerTo } from '../../../policy/read/pointer.js';
import { shown } from '../../../policy/sentences.js';
import type { ConfigFile } from '../../files/files.js';
import { forConfigs, type LintRule, type Report } from '../../project/rule.js';
import type { LocatedText } from '../../text/located-text.js';

export const labelAll: LintRule = {
  id: 'preset/label-all',
  severity: 'warning',
  persona: 'reviewer',
  docs: {
    what: 'An issue with a certain label starts a session that may use every tool.',
    why: 'Whoever can set a label, or write an issue that gets one, then decides what runs in a shell without a question.',
    bad: '# .cyrus/config.json\n{ "repositories": [{ "labelPrompts": { "builder": { "labels": ["Feature"], "allowedTools": "all" } } }] }\n',
    good: '# .cyrus/config.json\n{ "repositories": [{ "labelPrompts": { "builder": { "labels": ["Feature"], "allowedTools": "safe" } } }] }\n',
    fix: 'Give the mode the preset safe, or list the tools and commands that it needs.',
    source: 'Cyrus: docs/CONFIG_FILE.md, labelPrompts and promptDefaults; the original document on Codex runner permissions',
    verifiedOn: 'Cyrus at commit 117033a (documentation, not run)',
  },
  check: forConfigs(check),
};

const MOST = 500;

function check({ config, data }: ConfigFile): readonly Report[] {
  if (config !== 'cyrus-config' || data === null) return [];
  const repositories = data.at('/repositories');
  const count = Array.isArray(repositories) ? Math.min(repositories.length, MOST) : 0;
  const maps = Array.from({ length: count }, (_, index) => `${pointerTo('/repositories', index)}/labelPrompts`);
  return [...maps, '/promptDefaults'].flatMap((pointer) => modesOf(data, pointer));
}

/** Returns the modes of a map, each with its labels and its tools. */
function modesOf(data: LocatedText, pointer: string): Report[] {
  const modes = data.at(pointer);
  if (!isFields(modes)) return [];
  return Object.keys(modes)
    .slice(0, MOST)
    .flatMap((name): Report[] => {
      const mode = modes[name];
      const tools = isFields(mode) ? toolsOf(mode.allowedTools) : null;
      if (tools === null) return [];
      const at = data.valueSpan(`${pointerTo(pointer, name)}/allowedTools${tools}`);
      return [
        {
          at,
          message: `${whoStarts(name, isFields(mode) ? mode.labels : null)} may use every tool, any shell command among them.`,
        },
      ];
    });
}

/** Returns the pointer below `allowedTools` of the entry that opens the shell; null for tools that do not. */
function toolsOf(allowed: unknown): string | null {
  if (allowed === 'all') return '';
  const bash = Array.isArray(allowed)
    ? allowed.findIndex((one) => typeof one === 'string' && /^Bash(?:\(\*{0,2}\))?$/.test(one))
    : -1;
  return bash < 0 ? null : `/${bash}`;
}

function whoStarts(mode: string, labels: unknown): string {
  const names = Array.isArray(labels)
    ? labels
        .filter((label) => typeof label === 'string')
        .slice(0, 3)
        .map(shown)
    : [];
  return names.length === 0
    ? `A session in the mode ${shown(mode)}`
    : `A session for an issue with the label ${names.join(' or ')}`;
}
