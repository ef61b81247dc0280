import { handlersOf } from '../../../lint/project/handlers.js';
import type { LintRule } from '../../../lint/project/rule.js';

export const codexTwoHookFiles: LintRule = {
  id: 'codex/two-hook-files',
  severity: 'info',
  docs: {
    what: 'Hooks of Codex stand in hooks.json and in config.toml of one folder.',
    why: 'Codex reads both and warns at each start; whoever changes a hook in one of them easily overlooks the other. Each place has its own trust.',
    bad: '# .codex/config.toml, beside a .codex/hooks.json\n[[hooks.PreToolUse]]\nmatcher = "Bash"\n',
    good: '# .codex/config.toml, beside a .codex/hooks.json\nmodel = "gpt-5"\n',
    fix: 'Keep all hooks in one of the two files.',
    source: 'developers.openai.com/codex: hooks',
    verifiedOn: 'Codex 0.169.0 (documentation)',
    runners: ['codex'],
  },
  check: ({ configs }) => {
    const folders = new Set(
      configs.flatMap((file) => (file.config === 'codex-hooks' && handlersOf(file).length > 0 ? [folderOf(file.path)] : [])),
    );
    return configs.flatMap((file) => {
      const hasBoth = file.config === 'codex-config' && folders.has(folderOf(file.path)) && handlersOf(file).length > 0;
      if (!hasBoth || file.data === null) return [];
      return [{ at: file.data.keySpan('/hooks'), message: 'There are hooks in hooks.json beside this file, too.' }];
    });
  },
};

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}
