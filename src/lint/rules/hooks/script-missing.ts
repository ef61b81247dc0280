import { placeInCommand } from '../../hooks/command-place.js';
import { scriptWords } from '../../hooks/script-words.js';
import { placesOfScript } from '../../hooks/scripts.js';
import { type HookFile, handlersOf } from '../../project/handlers.js';
import type { LintProject } from '../../project/project.js';
import { forHookFiles, type LintRule, type Report } from '../../project/rule.js';

export const scriptMissing: LintRule = {
  id: 'hooks/script-missing',
  severity: 'error',
  docs: {
    what: 'The script of a hook is not there.',
    why: 'The hook fails each time, and nearly every runner then goes on as if there were none: a guard lets everything pass.',
    bad: '{ "hooks": { "PreToolUse": [{ "hooks": [{ "type": "command", "command": "\\"$CLAUDE_PROJECT_DIR\\"/.claude/hooks/gone.sh" }] }] } }\n',
    good: '{ "hooks": { "PreToolUse": [{ "hooks": [{ "type": "command", "command": "\\"$CLAUDE_PROJECT_DIR\\"/.claude/hooks/guard.sh" }] }] } }\n',
    fix: 'Add the script, or correct its path.',
  },
  check: forHookFiles(check),
};

/** Results of a build or an installation, which do not exist before it. */
const MADE = /(?:^|\/)(?:node_modules|dist|build|out|target|bin|vendor|venv|\.venv|__pycache__|\.next|\.cache)\//;
/** Folders that only contain files for the runners. */
const OWN = /^(?:\.claude|\.codex|\.gemini|\.qwen|\.cursor|\.github)\//;
/** File extensions of scripts for a shell or an interpreter; programs without one may be generated. */
const SCRIPT = /\.(?:sh|bash|zsh|py|[cm]?js|[cm]?ts|rb|pl|php|ps1)$/;
const MOST = 100;

function check(file: HookFile, project: LintProject): readonly Report[] {
  const told = new Set<string>();
  return handlersOf(file)
    .slice(0, MOST)
    .flatMap((handler) =>
      handler.commands.flatMap((command) =>
        scriptWords(command).flatMap((script): Report[] => {
          const { path, base, start, end, asked, moved } = script;
          if (asked || (moved && base === 'cwd') || MADE.test(path) || !SCRIPT.test(path) || told.has(path)) return [];
          const places = placesOfScript(handler, script, project);
          if (places.length === 0 || places.some(project.exists)) return [];
          told.add(path);
          const isSure = base === 'plugin' || OWN.test(path);
          const message = `There is no ${places.at(0) ?? path} in this project, so this hook of ${handler.event} fails each time.`;
          const { span } = placeInCommand(handler, command, start, end);
          // A person's own settings may name files that only that person has.
          const isOwn = file.path.endsWith('.local.json');
          return [{ at: span, message, ...((!isSure || isOwn) && { severity: 'warning' as const }) }];
        }),
      ),
    );
}
