import type { RunnerId } from '../../../call/tool-call.js';
import { traitsOf } from '../../../call/traits.js';
import { placeInCommand } from '../../../lint/hooks/command-place.js';
import { scriptWords } from '../../../lint/hooks/script-words.js';
import { type HookFile, handlersOf, isUncertain } from '../../../lint/project/handlers.js';
import { forHookFiles, type LintRule, type Report } from '../../../lint/project/rule.js';
import { escaped } from '../../../lint/text/json-text.js';

export const relativePath: LintRule = {
  id: 'hooks/relative-path',
  severity: 'warning',
  docs: {
    what: 'The script of a hook is found only from one folder.',
    why: 'A hook runs in the folder that the session is in at that moment: after a cd the script is not found, the hook fails, and the call runs without it.',
    bad: '{ "hooks": { "PreToolUse": [{ "hooks": [{ "type": "command", "command": ".claude/hooks/guard.sh" }] }] } }\n',
    good: '{ "hooks": { "PreToolUse": [{ "hooks": [{ "type": "command", "command": "\\"$CLAUDE_PROJECT_DIR\\"/.claude/hooks/guard.sh" }] }] } }\n',
    fix: 'Begin the path with the folder of the project.',
  },
  check: forHookFiles(check),
};

/** Expressions for the project's folder. Cursor, Copilot CLI and Gemini CLI start hooks there, whatever a `cd` does (documentation; 0.61.0). */
const PROJECT: Partial<Readonly<Record<RunnerId, string>>> = {
  'claude-code': '"$CLAUDE_PROJECT_DIR"',
  codex: '"$(git rev-parse --show-toplevel)"',
};

/** Reports all scripts of a file in one finding, since it is one habit. */
function check(file: HookFile): readonly Report[] {
  const found = handlersOf(file).flatMap((handler) => {
    const project = PROJECT[handler.runner];
    // A plugin's hooks run in a project that has other files.
    if (project === undefined) return [];
    const ofPlugin = file.kind === 'config' && (file.config === 'claude-hooks' || file.config === 'claude-plugin');
    const folder = ofPlugin ? '"$' + '{CLAUDE_PLUGIN_ROOT}"' : project;
    return handler.commands.flatMap((command) =>
      scriptWords(command)
        .filter(({ base, moved, asked }) => base === 'cwd' && !moved && !asked)
        .map((script) => ({
          script,
          folder,
          runner: handler.runner,
          ...placeInCommand(handler, command, script.start, script.end),
        })),
    );
  });
  const [first] = found;
  if (first === undefined) return [];
  const edits = found.flatMap(({ script, folder, raw }) =>
    raw === null ? [] : [{ file: file.path, ...raw, text: escaped(`${folder}/${shellWord(script.path)}`) }],
  );
  const more = found.length === 1 ? '' : `, and so are ${found.length - 1} more`;
  const message = `${first.script.path} is looked for in the folder of the session${more}; after a cd ${traitsOf(first.runner).title} does not find it.`;
  const help = `Begin the path with ${first.folder}.`;
  const fix = { description: `Begin each path with ${first.folder}`, edits };
  const isExact = edits.length === found.length && !isUncertain(file) && first.runner === 'claude-code';
  // For the other runners it was not observed what the variable contains; their pages on agents and skills omit the folder, too.
  const severity = first.runner === 'claude-code' && file.kind === 'config' ? {} : { severity: 'info' as const };
  return [{ at: first.span, message, help, ...severity, ...(isExact && { fix }) }];
}

function shellWord(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `"${path}"`;
}
