/**
 * What a person should know of the definitions of an MCP server's tools: text that only the model sees or obeys, names that read like
 * others, and annotations that contradict them. The definitions come from a server that nobody trusts.
 */
import { isRemoveName } from '../../call/mcp-subjects.js';
import { shown } from '../../policy/sentences.js';
import { lookalikeIn } from '../agents/lookalike.js';
import { hiddenIn } from '../rules/content/hidden-characters.js';
import type { Severity } from '../text/finding.js';

export interface ToolFinding {
  readonly rule: ToolRule;
  readonly severity: Severity;
  /** One sentence. */
  readonly message: string;
  /** The tool's name; null: the server. */
  readonly tool: string | null;
}

type Members = Readonly<Record<string, unknown>>;

export interface ServerTools {
  /** The server's name in rules. */
  readonly server: string;
  readonly tools: readonly Members[];
  readonly instructions: string | null;
}

export interface ToolKnowledge {
  /** Names of the tools of coding agents themselves. */
  readonly known: readonly string[];
  /** Why a schema cannot be used; null if it can. */
  readonly schemaMistake: (schema: object) => string | null;
}

/** What is reported, why, and what to do. */
export const TOOL_RULES = {
  'mcp-tool/hidden-text': {
    what: 'A tool or its server has text with characters that a reader cannot see.',
    why: 'Tag characters, direction marks and terminal sequences hide instructions from the person who looks at a tool; the model reads them.',
    fix: 'Do not use the server.',
  },
  'mcp-tool/instructs-model': {
    what: 'A definition tells the model to do something that the person would not expect.',
    why: 'The model takes the text of a tool as instructions, also when it calls other tools, and nobody else reads it.',
    fix: 'Read the whole text; do not use the server unless you want what it says.',
  },
  'mcp-tool/look-alike': {
    what: 'The name of a tool reads like another one.',
    why: 'A rule or a person may mean the one, and the model calls the other.',
    fix: 'Deny one of the two, or do not use the server.',
  },
  'mcp-tool/duplicate': {
    what: 'A server lists two tools of one name.',
    why: 'Nobody knows which of the two definitions belongs to what is called.',
    fix: 'Report it to the author of the server.',
  },
  'mcp-tool/annotation': {
    what: 'A tool that removes something is announced as harmless.',
    why: 'Clients skip their question for tools that say that they only read.',
    fix: 'Ask about the tool by a rule.',
  },
  'mcp-tool/schema': {
    what: 'The schema of a tool cannot be used.',
    why: 'The arguments of its calls are then not checked before they are judged.',
    fix: 'Report it to the author of the server.',
  },
  'mcp-tool/long': {
    what: 'A name or a description is very long.',
    why: 'Clients cut it or refuse it, and nobody reads a description of many pages.',
    fix: 'Read the end of it, too.',
  },
  'mcp-tool/combination': {
    what: 'A server reads private data and can send it elsewhere.',
    why: 'Whoever gets a text before the model, such as a web page, can have it do the one and then the other.',
    fix: 'Ask about what sends, by a rule.',
  },
} as const;
export type ToolRule = keyof typeof TOOL_RULES;

export function toolFindings(listed: ServerTools, knowledge: ToolKnowledge): readonly ToolFinding[] {
  const names = listed.tools.map(nameOf);
  return [
    ...textFindings(null, [['its text for models (instructions)', listed.instructions ?? '']], listed.server),
    ...listed.tools.flatMap((tool) => findingsAbout(tool, listed.server, knowledge)),
    ...sameNames(names, knowledge.known),
    ...combination(names),
  ];
}

function nameOf({ name }: Members): string {
  return typeof name === 'string' ? name : '';
}

const LONGEST_NAME = 64;
const LONGEST_DESCRIPTION = 4_096;

function findingsAbout(tool: Members, server: string, { schemaMistake }: ToolKnowledge): readonly ToolFinding[] {
  const name = nameOf(tool);
  const found: ToolFinding[] = [...textFindings(name, textsOf(tool), server)];
  const add = (rule: ToolRule, severity: Severity, message: string) => found.push({ rule, severity, message, tool: name });
  const letter = lookalikeIn(name);
  if (letter !== null)
    add(
      'mcp-tool/look-alike',
      'error',
      `Its name mixes alphabets: U+${(letter.codePointAt(0) ?? 0).toString(16).padStart(4, '0')} is no Latin letter.`,
    );
  for (const part of ['inputSchema', 'outputSchema']) {
    const schema = tool[part];
    const mistake = typeof schema === 'object' && schema !== null ? schemaMistake(schema) : null;
    if (mistake !== null) add('mcp-tool/schema', 'warning', `Its ${part} cannot be used: ${mistake}.`);
  }
  const { readOnlyHint, destructiveHint } = membersOf(tool.annotations);
  if (isRemoveName(name) && (readOnlyHint === true || destructiveHint === false))
    add(
      'mcp-tool/annotation',
      'warning',
      `By its name it removes or moves something, and its annotations say ${readOnlyHint === true ? 'readOnlyHint: true' : 'destructiveHint: false'}.`,
    );
  const whole = `mcp__${server}__${name}`;
  if (whole.length > LONGEST_NAME)
    add(
      'mcp-tool/long',
      'info',
      `Its name has ${whole.length} characters with the server's (${LONGEST_NAME} are the most for some models).`,
    );
  const { description } = tool;
  if (typeof description === 'string' && description.length > LONGEST_DESCRIPTION)
    add('mcp-tool/long', 'info', `Its description has ${description.length} characters.`);
  return found;
}

function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null ? (value as Members) : {};
}

type Text = readonly [where: string, text: string];

/** Texts of one definition that are looked at, and characters of all of them. */
const MOST_TEXTS = 5_000;
const MOST_CHARACTERS = 1024 * 1024;

/** Returns every text of a definition, names of members included: the model is given all of it. */
function textsOf(tool: Members): readonly Text[] {
  const found: Text[] = [];
  const open: (readonly [where: string, value: unknown])[] = Object.entries(tool)
    .filter(([part]) => part !== '_meta' && part !== 'icons')
    .map(([part, value]) => [`its ${part}`, value]);
  let characters = 0;
  for (
    let next = open.pop();
    next !== undefined && found.length < MOST_TEXTS && characters < MOST_CHARACTERS;
    next = open.pop()
  ) {
    const [where, value] = next;
    if (typeof value === 'string') {
      found.push([where, value]);
      characters += value.length;
    } else if (typeof value === 'object' && value !== null)
      for (const [key, member] of Object.entries(value)) {
        if (!Array.isArray(value)) found.push([where, key]);
        open.push([where, member]);
      }
  }
  return found.reverse();
}

const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;

/** Sentences that no description of a tool needs; each is the beginning of a message. */
const INSTRUCTIONS: readonly (readonly [pattern: RegExp, severity: Severity, says: string])[] = [
  [/<\s*\/?\s*(?:important|system|instructions?|critical|secret|hidden)\s*>/i, 'warning', 'speaks to the model in a tag'],
  [
    /\b(?:do not|don't|never|without)\s+(?:tell|mention|inform|notify|reveal|disclose|telling|mentioning|informing|notifying|revealing|disclosing)\b[^.\n]{0,40}\b(?:user|human|person|anyone)\b/i,
    'error',
    'keeps something from the person',
  ],
  [
    /\b(?:ignore|disregard|forget|override)\s+(?:(?:all|any|the|your|of)\s+)*(?:previous|prior|above|earlier|other|system)\s+(?:instruction|prompt|message|rule|direction)/i,
    'error',
    'sets other instructions aside',
  ],
  [
    /\b(?:before|prior to|instead of)\s+(?:using|calling|invoking|running)\s+(?:any|every|all|each)\s+(?:other\s+)?(?:tool|function)/i,
    'warning',
    'wants to be called before or instead of all other tools',
  ],
  [
    /[~}/]\/?\.(?:ssh|aws|gnupg|netrc)\b|\bid_(?:rsa|ed25519)\b|\/etc\/(?:passwd|shadow)\b|\.cursor\/mcp\.json|\b(?:read|send|include|pass|upload|append|contents? of)\b[^.\n]{0,40}[\s`'"(]\.env\b/i,
    'warning',
    'names files with secrets',
  ],
];

function textFindings(tool: string | null, texts: readonly Text[], server: string): readonly ToolFinding[] {
  const found = new Map<string, ToolFinding>();
  const add = (rule: ToolRule, severity: Severity, where: string, says: string) => {
    const message = `${where.charAt(0).toUpperCase()}${where.slice(1)} ${says}.`;
    // One of a kind is enough for each part.
    const key = `${rule} ${where} ${says.split(':')[0]}`;
    if (!found.has(key)) found.set(key, { rule, severity, message, tool });
  };
  for (const [where, text] of texts) {
    const [hidden] = hiddenIn(text);
    if (hidden !== undefined)
      add('mcp-tool/hidden-text', hidden.isGrave ? 'error' : 'warning', where, `has invisible characters: ${hidden.names}`);
    if (CONTROLS.test(text)) add('mcp-tool/hidden-text', 'error', where, 'has control characters, which a terminal obeys');
    for (const [pattern, severity, says] of INSTRUCTIONS) {
      const match = pattern.exec(text);
      if (match !== null) add('mcp-tool/instructs-model', severity, where, `${says}: ${excerpt(text, match)}`);
    }
    const other = [...text.matchAll(/\bmcp__([A-Za-z0-9_-]+?)__\w+/g)].find(([, name]) => name !== server);
    if (other !== undefined)
      add('mcp-tool/instructs-model', 'warning', where, `speaks of another server's tool: ${excerpt(text, other)}`);
  }
  return [...found.values()];
}

function excerpt(text: string, { index = 0, 0: match }: Pick<RegExpExecArray, 'index' | 0>): string {
  const around = text.slice(Math.max(0, index - 10), index + match.length + 30);
  return shown(around.replaceAll(/\s+/g, ' ').trim());
}

/** Names that differ in nothing that a reader sees at once. */
function sameNames(names: readonly string[], known: readonly string[]): readonly ToolFinding[] {
  const found: ToolFinding[] = [];
  const seen = new Map<string, string>();
  const agents = new Map(known.map((name) => [seenAs(name), name]));
  for (const tool of names) {
    const key = seenAs(tool);
    const other = seen.get(key);
    const agent = agents.get(key);
    if (other === tool) found.push({ rule: 'mcp-tool/duplicate', severity: 'error', message: 'It is listed twice.', tool });
    else if (other !== undefined)
      found.push({
        rule: 'mcp-tool/look-alike',
        severity: 'warning',
        message: `Its name reads like ${shown(other)} of the same server.`,
        tool,
      });
    else if (agent !== undefined && plain(agent) !== plain(tool))
      found.push({
        rule: 'mcp-tool/look-alike',
        severity: 'error',
        message: `Its name reads like ${shown(agent)}, a tool of coding agents.`,
        tool,
      });
    if (other === undefined) seen.set(key, tool);
  }
  return found;
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\d]/gu, '');
}

/** `Wr1te_Fi1e` → `writeflle`: the same for names that look alike in some font. */
function seenAs(name: string): string {
  return plain(name.replace(/[1|I]/g, 'l').replace(/0/g, 'o')).replace(/i/g, 'l').replace(/rn/g, 'm').replace(/vv/g, 'w');
}

const PRIVATE =
  /^(?:read|get|list|search|query|fetch|find|export)_(?:\w+_)?(?:emails?|mails?|messages?|threads?|inbox|contacts?|notes?|secrets?|files?|documents?|calendar|events?|records?|customers?|conversations?)(?:_|$)/;
const SENDING =
  /^(?:send|post|publish|forward|reply|share|upload)_|_(?:send|post|publish|forward|upload)$|^(?:http|web)_(?:request|fetch|post)$/;

function combination(names: readonly string[]): readonly ToolFinding[] {
  const snake = (name: string) =>
    name
      .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
      .toLowerCase()
      .replaceAll(/[-.]/g, '_');
  const reads = names.find((name) => PRIVATE.test(snake(name)) && !/console|network|log/i.test(name));
  const sends = names.find((name) => SENDING.test(snake(name)));
  if (reads === undefined || sends === undefined || reads === sends) return [];
  const message = `It reads private data (${shown(reads)}) and can send it elsewhere (${shown(sends)}).`;
  return [{ rule: 'mcp-tool/combination', severity: 'info', message, tool: null }];
}
