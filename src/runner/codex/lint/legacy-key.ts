import type { ConfigFile } from '../../../lint/files/files.js';
import type { LintRule, Report } from '../../../lint/project/rule.js';
import { shown } from '../../../policy/sentences.js';

/** Keys of the first version, in TypeScript, with the keys that replaced them; null: none did. */
const LEGACY: ReadonlyMap<string, string | null> = new Map([
  ['approvalMode', 'approval_policy'],
  ['approval_mode', 'approval_policy'],
  ['fullAutoErrorMode', null],
  ['sandboxMode', 'sandbox_mode'],
  ['approvalPolicy', 'approval_policy'],
  ['mcpServers', 'mcp_servers'],
  ['disableResponseStorage', null],
]);

export const legacyKey: LintRule = {
  id: 'codex/legacy-key',
  severity: 'warning',
  docs: {
    what: 'The configuration of Codex has a key that only older versions read.',
    why: 'The key is ignored without a message, so its restriction does not hold.',
    bad: '# .codex/config.toml\napprovalMode = "suggest"\n',
    good: '# .codex/config.toml\napproval_policy = "on-request"\n',
    fix: 'Write the key that the message names, or remove it.',
  },
  check: ({ configs }) => configs.filter(({ config }) => config === 'codex-config').flatMap(check),
};

function check({ data }: ConfigFile): readonly Report[] {
  if (data === null) return [];
  return data.keys.flatMap((key): Report[] => {
    const now = LEGACY.get(key);
    if (now === undefined) return [];
    const message = `Codex does not read ${shown(key)}${now === null ? '.' : `; the key is \`${now}\`.`}`;
    return [{ at: data.keySpan(`/${key}`), message }];
  });
}
