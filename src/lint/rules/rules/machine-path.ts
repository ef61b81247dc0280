import { MOST_RELATED } from '../../claude-rules/covered.js';
import { type ClaudeEntry, relatedTo } from '../../claude-rules/entries.js';
import { isOneOff } from '../../claude-rules/one-off.js';
import type { ConfigFile } from '../../files/files.js';
import type { LintRule, Report } from '../../project/rule.js';
import { forClaudeRules } from '../../settings/claude-rule-checks.js';
import { isMeantAbsolute } from './absolute-path.js';

export const machinePath: LintRule = {
  id: 'rules/machine-path',
  severity: 'info',
  confidence: 'medium',
  docs: {
    what: "Settings that a project shares name a path of one person's machine.",
    why: 'On every other machine the rule matches nothing, or something else; a deny with it protects one person only.',
    bad: '{ "permissions": { "allow": ["Read(//Users/ana/work/docs/**)"] } }\n',
    good: '{ "permissions": { "allow": ["Read(docs/**)"] } }\n',
    fix: 'Write the path relative to the project or with ~, or move the rule to settings.local.json.',
  },
  check: forClaudeRules(check),
};

const HOME =
  /(?:\/(?:Users|home)\/|\b[A-Za-z]:[\\/]+Users[\\/]+)(?!(?:runner|user|username|you|Shared|node|vscode|ubuntu|codespace|coder|dev|app|agent|claude|jovyan|circleci|linuxbrew|\*|\$|<|\{)(?:[\\/)]|$))[\w.-]+/;

function check(entries: readonly ClaudeEntry[], { path }: ConfigFile): readonly Report[] {
  if (!/(?:^|\/)\.claude\/settings\.json$/.test(path)) return [];
  const [first, ...others] = entries.filter((entry) => HOME.test(entry.text) && !isOneOff(entry) && !isMeantAbsolute(entry));
  if (first === undefined) return [];
  const more = others.length === 0 ? '' : `, as ${others.length} more ${others.length === 1 ? 'does' : 'do'}`;
  return [
    {
      at: first.span,
      message: `This rule names a path of one person's machine${more}.`,
      related: others.slice(0, MOST_RELATED).map((entry) => relatedTo(entry, 'another one')),
    },
  ];
}
