import { asksPolicyCheck } from '../../hooks/own-line.js';
import { type HookFile, handlersOf, isBeforeCall } from '../../project/handlers.js';
import { forHookFiles, type LintRule } from '../../project/rule.js';

export const checkIsNoHook: LintRule = {
  id: 'hooks/check-is-no-hook',
  severity: 'error',
  docs: {
    what: 'A hook asks `policy check`, which does not speak to the runner.',
    why: '`policy check` ends with 1 for a denial, which runners take for a hook that failed, and the call runs; nor does it read the payload.',
    bad: '{ "hooks": { "PreToolUse": [{ "hooks": [{ "type": "command", "command": "policy check Bash" }] }] } }\n',
    good: '{ "hooks": { "PreToolUse": [{ "hooks": [{ "type": "command", "command": "policy hook claude-code" }] }] } }\n',
    fix: 'Install the hook with `policy install`, or write `policy hook RUNNER`.',
  },
  check: forHookFiles(check),
};

function check(file: HookFile): ReturnType<LintRule['check']> {
  return handlersOf(file)
    .filter(isBeforeCall)
    .flatMap(({ data, event, commands }) =>
      commands
        .filter(({ text }) => asksPolicyCheck(text))
        .map(({ pointer }) => ({
          at: data.valueSpan(pointer),
          message: `This hook of ${event} asks \`policy check\`: a denial ends with 1, and the call runs.`,
        })),
    );
}
