/** The text form of a rule, `Tool(pattern)`: reads it, rejects anything that would become a dead rule, and prints it again. */

/** The longest rule text that is read, in UTF-16 units. */
const MAX_LENGTH = 4096;

/** Rule names of shell tools (lower case); a `:` in the first word of a pattern is suspicious only for these. */
const SHELL_TOOLS = new Set([
  'bash',
  'sh',
  'shell',
  'local_shell',
  'powershell',
  'monitor',
  'terminal',
  'exec',
  'exec_command',
  'execute',
  'run_shell_command',
  'run_terminal_cmd',
  'run_terminal_command',
]);

const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;
const TOOL_NAME = /^[A-Za-z0-9_\-.:*]+$/;
/** `run_in_background:true`: a rule about a parameter of the tool, not about its command. */
const PARAMETER = /^[a-z]+(?:[A-Z_][A-Za-z0-9]*)+:\S+$/;

/** A mistake in a rule text; `offset` counts UTF-16 units in the original text. */
export interface EntryMistake {
  readonly ok: false;
  /** Stable code, e.g. `rule/missing-paren`. */
  readonly code: string;
  readonly message: string;
  readonly offset: number;
}

export interface Entry {
  readonly tool: string;
  /** Trimmed; null for a bare tool and for empty parentheses. */
  readonly pattern: string | null;
}

export type ParsedEntry = ({ readonly ok: true } & Entry) | EntryMistake;

/**
 * Reads `Tool` or `Tool(pattern)`. The tool is the text before the first `(`, the pattern the text up to the last `)`, both
 * trimmed. Anything that would silently be a dead or a wider rule is a mistake with a stable code, never a guess.
 */
export function parseEntry(text: string): ParsedEntry {
  if (text.length > MAX_LENGTH) return mistake('rule/too-long', `A rule has at most ${MAX_LENGTH} characters.`, MAX_LENGTH);
  const start = text.length - text.trimStart().length;
  const entry = text.trim();
  if (entry === '') return mistake('rule/empty', 'The rule is empty; write a tool name, for example Read(src/**).', 0);
  const control = CONTROL.exec(entry);
  if (control)
    return mistake('rule/control-character', 'A rule may not hold control or direction characters.', start + control.index);

  const open = entry.indexOf('(');
  if (open < 0) return bareTool(entry, start);
  const close = entry.lastIndexOf(')');
  if (close < open) return mistake('rule/missing-paren', `The closing ")" is missing: write ${entry})`, start + entry.length);
  if (close < entry.length - 1) {
    const corrected = entry.slice(0, close + 1);
    return mistake('rule/trailing-text', `Nothing may follow the last ")": write ${corrected}`, start + close + 1);
  }
  const tool = entry.slice(0, open).trim();
  const wrong = toolMistake(tool, start);
  if (wrong) return wrong;
  const inside = entry.slice(open + 1, close);
  const pattern = inside.trim();
  const patternStart = start + open + 1 + (inside.length - inside.trimStart().length);
  const colon = pattern.includes(':') && SHELL_TOOLS.has(tool.toLowerCase()) ? colonMistake(tool, pattern, patternStart) : null;
  return colon ?? { ok: true, tool, pattern: pattern === '' ? null : pattern };
}

/** The text of a rule; `parseEntry` turns it back into the same rule. */
export function printEntry(entry: Entry): string {
  return entry.pattern === null ? entry.tool : `${entry.tool}(${entry.pattern})`;
}

function mistake(code: string, message: string, offset: number): EntryMistake {
  return { ok: false, code, message, offset };
}

function bareTool(tool: string, start: number): ParsedEntry {
  const close = tool.indexOf(')');
  if (close >= 0) return mistake('rule/missing-paren', 'There is a ")" without a "(": write Tool(pattern).', start + close);
  return toolMistake(tool, start) ?? { ok: true, tool, pattern: null };
}

function toolMistake(tool: string, start: number): EntryMistake | null {
  if (tool === '') return mistake('rule/missing-tool', 'The tool name before "(" is missing: write Tool(pattern).', start);
  if (tool.startsWith('!')) {
    const corrected = tool.slice(1).trim();
    return mistake(
      'rule/negation',
      `A rule cannot be negated: list ${corrected || 'the tool'} under deny or ask instead.`,
      start,
    );
  }
  if (TOOL_NAME.test(tool)) return null;
  return mistake(
    'rule/tool-name',
    'A tool name has letters, digits, "_", "-", ".", ":" and "*" only; one rule names one tool, and its pattern stands in "()".',
    start,
  );
}

/** Finds a `:` that is neither part of a word nor of a trailing `:*`. */
function colonMistake(tool: string, pattern: string, start: number): EntryMistake | null {
  if (pattern.startsWith(':')) {
    return mistake('rule/misplaced-colon', 'There are no words before ":"; name the command that the rule is about.', start);
  }
  const middle = /[\w-]:\*(?=\s+\S)/.exec(pattern);
  if (middle) {
    const at = middle.index + 1;
    const corrected = `${tool}(${pattern.slice(0, at)} ${pattern.slice(at + 1)})`;
    return mistake('rule/misplaced-colon', `":*" means "then anything" only at the end: write ${corrected}`, start + at);
  }
  const first = /^\S+/.exec(pattern)?.[0] ?? '';
  const glued = /:[A-Za-z]/.exec(first);
  if (!glued || /[/\\]/.test(first.slice(0, glued.index)) || PARAMETER.test(pattern)) return null;
  const corrected = `${tool}(${pattern.slice(0, glued.index)} ${pattern.slice(glued.index + 1)})`;
  return mistake('rule/misplaced-colon', `":" does not separate words: write ${corrected}`, start + glued.index);
}
