/** Rules whose tool nobody has: a slip of the pen is a mistake, since such a rule never matches; any other name is worth a note. */
import { canonicalTools, describeTool } from '../call/catalogue.js';
import type { PermissionRule } from '../rule/pattern/permission-rule.js';
import { editDistance } from './nearest.js';
import type { PolicyNote, PolicyProblem } from './policy.js';
import { shown } from './sentences.js';

/** Different names that are compared with all tools: comparing words costs time that a file must not command. */
const MOST_NAMES = 100;
const LONGEST_NAME = 64;

/**
 * What is wrong with the tools that the rules name. MCP tools, names with `*` and declared tools are never wrong.
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
 * The tool that a name was meant for: one letter off, in long names two. What only adds to a tool's name (`Tasks`, `Bash2`) or begins
 * with another letter may well be a tool of its own.
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

/** The first two letters, the second one first. */
function swapped(word: string): string {
  return `${word[1] ?? ''}${word[0] ?? ''}`;
}
