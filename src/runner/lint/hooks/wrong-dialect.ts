import type { RunnerId } from '../../../call/tool-call.js';
import { traitsOf } from '../../../call/traits.js';
import { type HookHandler, handlersOf, isBeforeCall } from '../../../lint/project/handlers.js';
import { forHookFiles, type LintRule, type Report } from '../../../lint/project/rule.js';

export const wrongDialect: LintRule = {
  id: 'hooks/wrong-dialect',
  severity: 'error',
  docs: {
    what: 'A hook answers in the words of another runner.',
    why: 'A runner passes over a denial that it does not know, without a message, and the call runs. Only exit code 2 with a reason on standard error stops a call everywhere.',
    bad: '# .gemini/settings.json\n{ "hooks": { "BeforeTool": [{ "hooks": [{ "type": "command", "command": "echo \'{\\"hookSpecificOutput\\":{\\"permissionDecision\\":\\"deny\\"}}\'" }] }] } }\n',
    good: '# .gemini/settings.json\n{ "hooks": { "BeforeTool": [{ "hooks": [{ "type": "command", "command": "echo \'{\\"decision\\":\\"deny\\",\\"reason\\":\\"no\\"}\'" }] }] } }\n',
    fix: 'End the hook with exit 2 and a reason on standard error, or answer as the message says.',
    source: 'the hooks pages of the runners',
    verifiedOn: 'Claude Code 2.1.329, Codex 0.169.0, Gemini CLI 0.61.0, Copilot CLI 1.0.102, Qwen Code 0.24.4',
    runners: ['claude-code', 'codex', 'gemini-cli', 'copilot-cli', 'qwen-code'],
  },
  check: forHookFiles((file) => handlersOf(file).filter(isBeforeCall).flatMap(check)),
};

/** The forms of a denial. */
const FORMS = {
  specific: 'hookSpecificOutput.permissionDecision',
  top: 'permissionDecision at the top',
  deny: '"decision": "deny"',
  block: '"decision": "block"',
} as const;
type Form = keyof typeof FORMS;

/** The forms after which the call did not run. */
const UNDERSTOOD: Readonly<Partial<Record<RunnerId, readonly Form[]>>> = {
  'claude-code': ['specific', 'block'],
  codex: ['specific', 'block'],
  'gemini-cli': ['deny', 'block'],
  'qwen-code': ['specific', 'deny', 'block'],
};

/** Returns the forms that the runner reads; Copilot CLI reads Claude Code's form for events in Claude Code's spelling. */
function understoodBy({ runner, event }: HookHandler): readonly Form[] | undefined {
  if (runner === 'copilot-cli') return event === 'PreToolUse' ? ['specific', 'top'] : ['top'];
  return UNDERSTOOD[runner];
}

function check(handler: HookHandler): readonly Report[] {
  const understood = understoodBy(handler);
  if (understood === undefined) return [];
  const { data, runner, event, commands } = handler;
  return commands.flatMap(({ text, pointer }): Report[] => {
    const forms = formsIn(text);
    const [first] = forms;
    if (first === undefined || forms.some((form) => understood.includes(form)) || /\bexit 2\b/.test(text)) return [];
    const message = `${traitsOf(runner).title} does not read ${FORMS[first]} as a denial, so this hook of ${event} stops no call.`;
    const [best = 'block'] = understood;
    return [
      {
        at: data.valueSpan(pointer),
        message,
        help: `Answer with ${FORMS[best]}, or end with exit 2 and a reason on standard error.`,
      },
    ];
  });
}

/** Returns the forms of denial that a line prints, with or without the backslashes of another level of quotes. */
function formsIn(text: string): readonly Form[] {
  const plain = text.replaceAll('\\', '');
  const denies = /["']?permissionDecision["']?\s*:\s*["']?(?:deny|block)\b/.test(plain);
  const decision = /["']decision["']\s*:\s*["'](deny|block)["']/.exec(plain)?.[1];
  const forms: Form[] = [];
  if (denies) forms.push(plain.includes('hookSpecificOutput') ? 'specific' : 'top');
  if (decision === 'deny' || decision === 'block') forms.push(decision);
  return forms;
}
