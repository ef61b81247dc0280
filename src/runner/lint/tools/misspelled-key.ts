import type { AgentFile } from '../../../lint/files/files.js';
import { forAgents, type LintRule, type Report } from '../../../lint/project/rule.js';
import { misspeltTools } from '../../../lint/text/tool-keys.js';
import { shown } from '../../../policy/sentences.js';

export const misspelledToolsKey: LintRule = {
  id: 'tools/misspelled-key',
  severity: 'error',
  docs: {
    what: 'The list of tools has a key that the runner does not read.',
    why: 'In Claude Code an agent whose list is not read gets every tool; in the original formats it gets none.',
    bad: '---\nname: docs-writer\ndescription: Keeps the docs.\nallowedTools: Read, Edit\n---\n',
    good: '---\nname: docs-writer\ndescription: Keeps the docs.\ntools: Read, Edit\n---\n',
    fix: 'Write the key as the message says.',
  },
  check: forAgents(check),
};

/** Gemini CLI rejects a file with such a key; gemini/unknown-key reports it. */
function check({ path, format, guessed, data, source }: AgentFile): readonly Report[] {
  if (data === null || format === 'gemini-cli') return [];
  return data.keys.flatMap((key): Report[] => {
    const meant = misspeltTools(format, key);
    if (meant === null) return [];
    const at = data.keySpan(`/${key}`);
    const message = `${shown(key)} is not a key of this format${consequence(format, meant)}; the right key is \`${meant}\`.`;
    if (data.keys.includes(meant)) return [{ at, message, severity: 'warning' as const }];
    const [start, end] = [source.offsetAt(at), source.offsetAt({ line: at.endLine, column: at.endColumn })];
    const fix = {
      description: `Rename it to ${meant}`,
      safety: 'unsafe' as const,
      edits: [{ file: path, start, end, text: meant }],
    };
    const unsure = guessed ? { severity: 'warning' as const } : {};
    return [{ at, message, help: `Rename the key to ${meant}.`, fix, ...unsure }];
  });
}

/** Returns what the runner does with an agent whose list it does not find. */
function consequence(format: AgentFile['format'], meant: string): string {
  if (meant === 'disallowedTools' || meant === 'exclude_tools') return ', so nothing is taken away';
  if (format === 'codex-markdown' || format === 'codex-yaml') return ', so this agent has no tool';
  return format === 'agent-code' ? ', so this agent is not held to it' : ', so this agent has every tool';
}
