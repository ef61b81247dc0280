import { type HookFile, handlersOf } from '../../project/handlers.js';
import { forHookFiles, type LintRule, type Report } from '../../project/rule.js';

export const hookMachinePath: LintRule = {
  id: 'hooks/machine-path',
  severity: 'warning',
  docs: {
    what: "A hook of the project starts a file of one person's machine.",
    why: 'For everybody else there is no such file: the hook fails, and the call runs without it.',
    bad: '{ "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "/Users/ada/app/scripts/check.sh" }] }] } }\n',
    good: '{ "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "\\"$CLAUDE_PROJECT_DIR\\"/scripts/check.sh" }] }] } }\n',
    fix: "Begin the path with the folder of the project, or keep the hook in the person's own settings.",
  },
  check: forHookFiles(check),
};

const MACHINE =
  /(?:^|[\s"'=:(])((?:\/(?:Users|home)\/(?!(?:runner|node|vscode|user|username|you|USER|USERNAME)\/)[\w.-]+\/|[A-Za-z]:[\\/]Users[\\/][\w.-]+[\\/])[^\s"']*)/;

function check(file: HookFile): readonly Report[] {
  if (/\.local\.(?:json|toml)$/.test(file.path)) return [];
  const found = handlersOf(file).flatMap((handler) =>
    handler.commands.flatMap(({ text, args, pointer }) => {
      const path = [text, ...(args ?? [])].map((one) => MACHINE.exec(one)?.[1]).find((one) => one !== undefined);
      return path === undefined ? [] : [{ path, at: handler.data.valueSpan(pointer), event: handler.event }];
    }),
  );
  const [first] = found;
  if (first === undefined) return [];
  const more = found.length === 1 ? '' : ` (${found.length} hooks of this file do so)`;
  return [
    {
      at: first.at,
      message: `This hook of ${first.event} needs ${first.path.slice(0, 120)}, which only one machine has${more}.`,
    },
  ];
}
