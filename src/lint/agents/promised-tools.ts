/** Tools that the text of a definition says the agent uses. */
import type { AgentFile } from '../files/files.js';
import type { Span } from '../text/finding.js';

/** The first mention of a tool. */
export interface PromisedTool {
  readonly text: string;
  readonly span: Span;
  /** False where the word may mean something else: Bash is a language, too. */
  readonly sure: boolean;
}

/** Mentions of tools that are looked at. */
const MOST = 500;
/** Characters of a body that are looked at. */
const LONGEST = 65_536;

/** Agent and Task are left out: descriptions quote how the main agent starts this one. */
const CLAUDE = 'Bash|PowerShell|Read|Write|Edit|Grep|Glob|Skill|NotebookEdit|TodoWrite|WebFetch|WebSearch';
const CLAUDE_TOOLS = CLAUDE.split('|');
/** Names that are no word of any language. */
const OWN_WORDS = /^(?:NotebookEdit|TodoWrite|WebFetch|WebSearch|codex_\w+)$/;
const USES = '\\b(?:[Uu]s(?:e|es|ing)|[Cc]all(?:s|ing)?|[Ii]nvok(?:e|es|ing)) (?:the |your |its )?';
const OF_CLAUDE = new RegExp(`${USES}[\`*]{0,3}(${CLAUDE})\\b[\`*]{0,3}( tool\\b)?|\\b(mcp__[a-zA-Z0-9-]+__[a-zA-Z0-9_-]+)`, 'g');
const OF_CODEX = new RegExp(`${USES}[\`*]{0,3}(codex_[a-z_]+)\\b[\`*]{0,3}( tool\\b)?`, 'g');
/** What a sentence says that forbids the tool, leaves it open, or speaks of somebody else. */
const NOT_THIS_AGENT =
  /\b(?:not|never|no|without|instead|avoid|cannot|unable|lacks?|rather|forbidd?en|forbids?|prohibit(?:s|ed)?|if|unless|when|where|available|may|main agent|parent|caller|orchestrator|users?|they|other agents?)\b|n['\u2019]t\b/i;
/** Behind "Bash" these mean the language or a program of it. */
const LANGUAGE = /^[`*]{0,3}[ -](?:scripts?|scripting|code|syntax|functions?|version|[0-9])/;

/**
 * Of the description and of the instructions, each tool once.
 * @param wanted which tools are asked about; an answer may hold others, too
 */
export function promisedTools(agent: AgentFile, wanted: (tool: string) => boolean): readonly PromisedTool[] {
  const { data, definition, source, bodyStart, format } = agent;
  const pattern = format === 'claude-code' ? OF_CLAUDE : format.startsWith('codex-') ? OF_CODEX : null;
  if (pattern === null || data === null) return [];
  const description = data.at('/description');
  const written = typeof description === 'string' ? description : '';
  const text = definition.body === null ? '' : source.text.slice(bodyStart, bodyStart + LONGEST);
  const isNamed = (name: string) => written.includes(name) || text.includes(name);
  if (pattern === OF_CLAUDE && !isNamed('mcp__') && !CLAUDE_TOOLS.some((tool) => wanted(tool) && isNamed(tool))) return [];
  const told = without(written, EXAMPLES);
  const body = without(text, FENCES);
  const found = [
    ...mentions(told, pattern, (start, end) => data.insideSpan('/description', start, end)),
    ...mentions(body, pattern, (start, end) => source.span(bodyStart + start, bodyStart + end)),
  ];
  const first = new Map<string, PromisedTool>();
  for (const one of found) if (first.get(one.text)?.sure !== true && (one.sure || !first.has(one.text))) first.set(one.text, one);
  return [...first.values()];
}

/** Conversations that show when the agent is started. */
const EXAMPLES = /<example>[\s\S]*?(?:<\/example>|$)|\bExamples?:[\s\S]*$/g;
const FENCES = /^[ \t]*(```|~~~)[\s\S]*?(?:^[ \t]*\1|$(?![\s\S]))/gm;

/** The same text with blanks in the place of what is taken out, so that offsets stay. */
function without(text: string, what: RegExp): string {
  return text.replace(what, (part) => part.replace(/[^\n]/g, ' '));
}

function mentions(text: string, pattern: RegExp, spanOf: (start: number, end: number) => Span): PromisedTool[] {
  return [...text.matchAll(pattern)].slice(0, MOST).flatMap((match): PromisedTool[] => {
    const [whole, word, tool, server] = match;
    const name = word ?? server;
    if (name === undefined || NOT_THIS_AGENT.test(sentenceAround(text, match.index, whole.length))) return [];
    const start = match.index + whole.indexOf(name);
    const behind = text.slice(start + name.length, start + name.length + 20);
    if (LANGUAGE.test(behind)) return [];
    return [
      {
        text: name,
        span: spanOf(start, start + name.length),
        sure: tool !== undefined || server !== undefined || OWN_WORDS.test(name),
      },
    ];
  });
}

const LONGEST_SENTENCE = 400;

/** From the end of the sentence or line before to the end of this one. */
function sentenceAround(text: string, index: number, length: number): string {
  const before = text.slice(Math.max(0, index - LONGEST_SENTENCE), index);
  const after = text.slice(index, index + length + LONGEST_SENTENCE);
  const from = Math.max(...['\n', '. ', '! ', '? '].map((end) => before.lastIndexOf(end)));
  const to = after.slice(length).search(/[.!?](?:\s|$)|\n/);
  return before.slice(from + 1) + (to < 0 ? after : after.slice(0, length + to));
}
