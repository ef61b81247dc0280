/** Rules for tools that no runner has: a typo is a mistake, since such a rule never matches; any other name gets a note. */
import { canonicalTools, describeTool } from '../call/catalogue.js';
import type { PermissionRule } from '../rule/pattern/permission-rule.js';
import { editDistance } from './nearest.js';
import type { PolicyNote, PolicyProblem } from './policy.js';
import { shown } from './sentences.js';

/** At most this many different names are compared with all tools: comparing words takes time that a file must not control. */
const MOST_NAMES = 100;
const LONGEST_NAME = 64;

/**
 * The mistakes in the tool names of rules. MCP tools, names with `*` and declared tools are never mistakes.
 * @param declared names under `custom_tools`, of all layers
 */
export function toolNameMistakes(
  rules: readonly PermissionRule[],
  declared: readonly string[],
): { readonly problems: readonly PolicyProblem[]; readonly notes: readonly PolicyNote[] } {
  const meant = new Map<string, string | null>();
  const unknown = rules.filter(({ tool }) => !isKnown(tool, declared));
  for (const { tool } of unknown) if (!meant.has(tool)) meant.set(tool, meant.size < MOST_NAMES ? misspelt(tool) : null);
  const problems: PolicyProblem[] = [];
  const notes: PolicyNote[] = [];
  for (const { tool, source } of unknown) {
    const near = meant.get(tool) ?? null;
    const first = `No runner has a tool ${shown(tool)}`;
    const declare = 'declare it under custom_tools';
    if (near === null)
      notes.push({ code: 'rule/unknown-tool', message: `${first}. If it is a tool of your own, ${declare}.`, source });
    else
      problems.push({
        code: 'rule/misspelt-tool',
        message: `${first}; did you mean ${near}? If it is a tool of your own, ${declare}.`,
        source,
      });
  }
  problems.sort((a, b) => a.source.line - b.source.line || a.source.column - b.source.column);
  return { problems, notes };
}

function isKnown(tool: string, declared: readonly string[]): boolean {
  return tool.includes('*') || tool.startsWith('mcp__') || declared.includes(tool) || describeTool(tool).known;
}

/**
 * The tool that a name was meant for: one letter off, or two in long names. A name that only adds to a tool's name (`Tasks`,
 * `Bash2`) or begins with another letter may well be a tool of its own.
 */
function misspelt(tool: string): string | null {
  if (tool.length > LONGEST_NAME) return null;
  const written = tool.toLowerCase();
  const names = canonicalTools().flatMap(({ name, aliases }) => [name, ...(aliases ?? [])]);
  const near = names.flatMap((name) => {
    const known = name.toLowerCase();
    if (written.startsWith(known) || !(known[0] === written[0] || known.slice(0, 2) === swapped(written))) return [];
    const distance = editDistance(written, known);
    return distance <= (Math.min(written.length, known.length) < 7 ? 1 : 2) ? [{ name, distance }] : [];
  });
  return near.sort((a, b) => a.distance - b.distance)[0]?.name ?? null;
}

/** The first two letters, swapped. */
function swapped(word: string): string {
  return `${word[1] ?? ''}${word[0] ?? ''}`;
}
