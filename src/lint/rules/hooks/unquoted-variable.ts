import { placeInCommand } from '../../hooks/command-place.js';
import { type HookCommand, type HookFile, handlersOf, isUncertain } from '../../project/handlers.js';
import { forHookFiles, type LintRule, type Report } from '../../project/rule.js';
import { escaped } from '../../text/json-text.js';

export const unquotedVariable: LintRule = {
  id: 'hooks/unquoted-variable',
  severity: 'warning',
  docs: {
    what: 'The folder of the project stands in a hook without quotes.',
    why: 'In a folder whose path has a space the shell makes two words of it: the script is not found, and the call runs without the hook.',
    bad: '{ "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "$CLAUDE_PROJECT_DIR/.claude/hooks/check.sh" }] }] } }\n',
    good: '{ "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "\\"$CLAUDE_PROJECT_DIR\\"/.claude/hooks/check.sh" }] }] } }\n',
    fix: 'Put the variable into double quotes.',
  },
  check: forHookFiles(check),
};

const VARIABLE =
  /^\$(?:\{(?:CLAUDE_PROJECT_DIR|CLAUDE_PLUGIN_ROOT|GEMINI_PROJECT_DIR)\}|(?:CLAUDE_PROJECT_DIR|CLAUDE_PLUGIN_ROOT|GEMINI_PROJECT_DIR)\b)/;

/** One finding for all places of a file: it is one habit. */
function check(file: HookFile): readonly Report[] {
  const found = handlersOf(file).flatMap((handler) =>
    handler.commands.flatMap((command) =>
      variablesOutsideQuotes(command).map((place) => ({ ...place, ...placeInCommand(handler, command, place.start, place.end) })),
    ),
  );
  const [first] = found;
  if (first === undefined) return [];
  const more = found.length === 1 ? '' : `, here and at ${found.length - 1} more ${found.length === 2 ? 'place' : 'places'}`;
  const edits = found.flatMap(({ raw, text }) => (raw === null ? [] : [{ file: file.path, ...raw, text: escaped(`"${text}"`) }]));
  const isExact = edits.length === found.length && !isUncertain(file);
  const fix = { description: 'Put the variable into double quotes', edits };
  const message = `${first.text} has no quotes${more}; in a folder with a space in its path the hook is not found.`;
  // The runner chooses the place of plugins; the documentation of Gemini CLI and of plugins omits the quotes as well.
  const severity = found.some(({ text }) => text.includes('CLAUDE_PROJECT_DIR')) ? {} : { severity: 'info' as const };
  return [{ at: first.span, message, ...severity, ...(isExact && { fix }) }];
}

interface Place {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Finds variables outside of quotes, where the shell splits words. After a substitution or a here-document quoting starts anew,
 * so nothing is reported there.
 */
function variablesOutsideQuotes({ text, args, shell }: HookCommand): Place[] {
  if (args !== null || shell !== 'posix' || !text.includes('$')) return [];
  const found: Place[] = [];
  let quote = '';
  let word = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? '';
    if (character === '\\' && quote !== "'") at++;
    else if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === "'" || character === '"') quote = character;
    else if (character === '`' || text.startsWith('$(', at) || text.startsWith('<<', at) || text.startsWith('[[', at)) break;
    else if (/[\s;&|]/.test(character)) word = at + 1;
    else if (character === '$') {
      const variable = VARIABLE.exec(text.slice(at, at + 40))?.[0];
      // The shell does not split a value in an assignment.
      if (variable !== undefined && !/^\w+=/.test(text.slice(word, at)))
        found.push({ start: at, end: at + variable.length, text: variable });
    }
  }
  return found;
}
