/** Tools that, according to its text, the agent of a definition uses. */
import { type AgentFormat, formatTraits } from '../../agent/format.js';
import type { FormatTraits } from '../../call/traits.js';
import type { AgentFile } from '../files/files.js';
import type { Span } from '../text/finding.js';

type Mentions = NonNullable<FormatTraits['mentions']>;

/** The first mention of a tool. */
export interface PromisedTool {
  readonly text: string;
  readonly span: Span;
  /** False if the word may mean something else: Bash is also a language. */
  readonly sure: boolean;
}

/** At most this many mentions of tools are examined. */
const MOST = 500;
/** At most this many characters of a body are examined. */
const LONGEST = 65_536;

/** Names that are not a word of any language. */
const OWN_WORDS = /^(?:NotebookEdit|TodoWrite|WebFetch|WebSearch|codex_\w+)$/;
const USES = '\\b(?:[Uu]s(?:e|es|ing)|[Cc]all(?:s|ing)?|[Ii]nvok(?:e|es|ing)) (?:the |your |its )?';
const asUsed = (names: string) => `${USES}[\`*]{0,3}(${names})\\b[\`*]{0,3}( tool\\b)?`;
/** By the format: a name that may be a word counts where the text says that it is used, one of a pattern beside such wherever it stands. */
const PATTERNS = new Map<string, RegExp>();

function patternOf(format: AgentFormat, { names, pattern }: Mentions): RegExp {
  const known = PATTERNS.get(format);
  if (known !== undefined) return known;
  const made = new RegExp(names === undefined ? asUsed(pattern) : `${asUsed(names.join('|'))}|\\b(${pattern})`, 'g');
  PATTERNS.set(format, made);
  return made;
}
/** Words with which a sentence forbids the tool, leaves it open, or speaks of somebody else. */
const NOT_THIS_AGENT =
  /\b(?:not|never|no|without|instead|avoid|cannot|unable|lacks?|rather|forbidd?en|forbids?|prohibit(?:s|ed)?|if|unless|when|where|available|may|main agent|parent|caller|orchestrator|users?|they|other agents?)\b|n['\u2019]t\b/i;
/** After "Bash", these words mean the language or a program in it. */
const LANGUAGE = /^[`*]{0,3}[ -](?:scripts?|scripting|code|syntax|functions?|version|[0-9])/;

/**
 * Finds each tool in the description and in the instructions once.
 * @param wanted the tools of interest; the result may contain others, too
 */
export function promisedTools(agent: AgentFile, wanted: (tool: string) => boolean): readonly PromisedTool[] {
  const { data, definition, source, bodyStart, format } = agent;
  const { mentions: wording } = formatTraits(format);
  if (wording === undefined || data === null) return [];
  const pattern = patternOf(format, wording);
  const description = data.at('/description');
  const written = typeof description === 'string' ? description : '';
  const text = definition.body === null ? '' : source.text.slice(bodyStart, bodyStart + LONGEST);
  const isNamed = (name: string) => written.includes(name) || text.includes(name);
  const { names } = wording;
  if (names !== undefined && !isNamed('mcp__') && !names.some((tool) => wanted(tool) && isNamed(tool))) return [];
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

/** Conversations that show when to start the agent. */
const EXAMPLES = /<example>[\s\S]*?(?:<\/example>|$)|\bExamples?:[\s\S]*$/g;
const FENCES = /^[ \t]*(```|~~~)[\s\S]*?(?:^[ \t]*\1|$(?![\s\S]))/gm;

/** Replaces the matches in a text with blanks, so that offsets stay the same. */
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

/** Returns the text from the end of the previous sentence or line to the end of this one. */
function sentenceAround(text: string, index: number, length: number): string {
  const before = text.slice(Math.max(0, index - LONGEST_SENTENCE), index);
  const after = text.slice(index, index + length + LONGEST_SENTENCE);
  const from = Math.max(...['\n', '. ', '! ', '? '].map((end) => before.lastIndexOf(end)));
  const to = after.slice(length).search(/[.!?](?:\s|$)|\n/);
  return before.slice(from + 1) + (to < 0 ? after : after.slice(0, length + to));
}
