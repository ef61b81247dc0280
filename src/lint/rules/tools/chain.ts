import { describeTool } from '../../../call/catalogue.js';
import { shown } from '../../../policy/sentences.js';
import type { AgentFile } from '../../files/files.js';
import { listedTools } from '../../project/project.js';
import { forAgents, type LintRule, type Report } from '../../project/rule.js';

const ARROW = /\u2192|->/;

export const chain: LintRule = {
  id: 'tools/chain',
  severity: 'error',
  docs: {
    what: 'A chain of tools has a link that is not granted by itself, or that runs a shell.',
    why: 'A chain grants nothing: each of its links is judged when it is called, and no approval passes on to the next.',
    bad: 'tools:\n  mcp:\n    - codex_grep -> codex_apply_patch\n',
    good: 'tools:\n  mcp:\n    - codex_grep\n    - codex_apply_patch\n',
    fix: 'List every link by itself, and leave the shell out of chains.',
  },
  check: forAgents(check, 'codex-yaml'),
};

function check(agent: AgentFile): readonly Report[] {
  const entries = listedTools(agent);
  const granted = new Set(entries.filter(({ text }) => !ARROW.test(text)).map(({ text }) => text));
  return entries
    .filter(({ text }) => ARROW.test(text))
    .flatMap(({ text, span }) =>
      text.split(ARROW).flatMap((part): Report[] => {
        const link = part.trim();
        if (describeTool(link).access === 'execute' && describeTool(link).known)
          return [{ at: span, message: `The chain runs a shell (${shown(link)}); each command has to be asked for by itself.` }];
        if (granted.has(link)) return [];
        return [
          {
            at: span,
            message: `The link ${shown(link)} of this chain is not listed by itself.`,
            help: `Add an entry ${shown(link)}.`,
          },
        ];
      }),
    );
}
