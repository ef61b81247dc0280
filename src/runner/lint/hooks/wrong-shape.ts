import { isFields } from '../../../call/fields.js';
import { traitsOf } from '../../../call/traits.js';
import type { AgentFile, ConfigFile, TextFile } from '../../../lint/files/files.js';
import { eventsOf, handlersOf, hooksPointer } from '../../../lint/project/handlers.js';
import { forHookFiles, type LintRule, type Report } from '../../../lint/project/rule.js';
import { nestedHook } from '../../../lint/settings/nest-hook.js';
import type { Fix } from '../../../lint/text/finding.js';
import type { LocatedText } from '../../../lint/text/located-text.js';
import { pointerTo } from '../../../policy/read/pointer.js';
import { shown } from '../../../policy/sentences.js';
import { hook as claudeCode } from '../../claude-code/hook.js';
import { agentHookMistakes, eventMistakes, type SettingsMistake } from '../../claude-code/settings-mistakes.js';

export const wrongShape: LintRule = {
  id: 'hooks/wrong-shape',
  severity: 'error',
  docs: {
    what: 'Hooks do not have the form that their runner reads.',
    why: 'Such a hook never runs, and nothing says so; a guard that never runs lets everything pass.',
    bad: '{ "PreToolUse": [{ "hooks": [{ "type": "command", "command": "./guard.sh" }] }] }\n',
    good: '{ "hooks": { "PreToolUse": [{ "hooks": [{ "type": "command", "command": "./guard.sh" }] }] } }\n',
    fix: 'Write the hooks as the message says.',
  },
  check: forHookFiles((file) => (file.kind === 'config' ? check(file) : ofDefinition(file))),
};

function ofDefinition(file: AgentFile | TextFile): readonly Report[] {
  const { data } = file;
  if (data === null) return [];
  const isAgent = file.kind === 'agent' && file.format === 'claude-code' && !file.guessed;
  const fatal = isAgent ? agentHookMistakes(data.at('/hooks')) : [];
  const lost = fatal.map(({ pointer, why }) => ({
    at: data.valueSpan(pointer),
    message: `Claude Code does not load this agent: ${why}. (2.1.332; 2.1.197 loads it and runs none of its hooks.)`,
  }));
  const others = eventsOf(file).flatMap(({ name, value }) =>
    isEvent(name) && !(isAgent && value === null)
      ? eventMistakes(name, value).map((mistake) => ({
          at: data.valueSpan(mistake.pointer),
          ...effectOf(mistake, 'this definition'),
          ...(file.kind === 'agent' && file.guessed && { severity: 'warning' as const }),
        }))
      : [],
  );
  return [...lost, ...others.filter(({ at }) => !lost.some((one) => one.at.line === at.line && one.at.column === at.column))];
}

/** One mistake disables all hooks of the file, or only the one that has it (plugins and skills, each tried with both versions). */
function effectOf({ why, newer, older }: SettingsMistake, file: string): Omit<Report, 'at'> {
  if (newer === 'file') return { message: `Claude Code runs no hook of ${file}: ${why}.` };
  const before = older === 'nothing' ? '' : ` (2.1.332; 2.1.197 runs no hook of ${file}.)`;
  return { message: `Claude Code passes over this hook: ${why}.${before}`, severity: 'warning' };
}

/** Runners whose entries contain a matcher and a list of hooks; for the others, the entries are the hooks. */
const NESTED: ReadonlySet<string> = new Set(['claude-code', 'codex', 'gemini-cli', 'qwen-code']);

function check(file: ConfigFile): readonly Report[] {
  const { data, config } = file;
  const above = hooksPointer(file);
  // An incomplete file has no shape to check; settings/discarded reports what makes Claude Code ignore a settings file.
  if (data === null || above === null || file.mistakes.some(({ what }) => what === 'syntax')) return [];
  const hooks = data.at(above);
  if (config === 'claude-plugin' && !isFields(hooks)) return [];
  if (hooks && !isFields(hooks)) return [notMapped(file, data, above, hooks)];
  return [
    ...unwrapped(file, data),
    ...(config === 'copilot-hooks' || config === 'cursor-hooks' ? versionOf(file, data) : []),
    ...(config === 'claude-settings' ? [] : faultyEntries(file, data)),
    ...(config === 'claude-hooks' || config === 'claude-plugin' ? filledIntoShell(file, data) : []),
  ];
}

function notMapped(file: ConfigFile, data: LocatedText, above: string, hooks: unknown): Report {
  const runner = file.runner === null ? 'The runner' : traitsOf(file.runner).title;
  const isEmpty = Array.isArray(hooks) && hooks.length === 0;
  const message = `${runner} reads a map of events here and runs no hook of ${Array.isArray(hooks) ? 'a list' : shown(hooks)}.`;
  return { at: data.valueSpan(above), message, ...(isEmpty && { severity: 'warning' }) };
}

/** Reports events at the top level of the file, of which only `hooks` is read. */
function unwrapped({ config, runner }: ConfigFile, data: LocatedText): Report[] {
  if (!isFields(data.root) || runner === null || config === 'claude-plugin' || config === 'codex-config') return [];
  const root = data.root;
  const events = Object.keys(root).filter((key) => isEvent(key) && Array.isArray(root[key]));
  const [first] = events;
  if (first === undefined) return [];
  const others = events.length === 1 ? '' : ` and ${events.length - 1} more`;
  const message = `${traitsOf(runner).title} reads events below "hooks" only; ${first}${others} at the top of the file never runs.`;
  const severity = config === 'claude-hooks' || config === 'claude-settings' ? {} : { severity: 'warning' as const };
  return [{ at: data.keySpan(pointerTo('', first)), message, help: 'Put the events into a map "hooks".', ...severity }];
}

/** Claude Code does not fill what a person configured into a line for a shell. */
function filledIntoShell(file: ConfigFile, data: LocatedText): Report[] {
  return handlersOf(file).flatMap(({ commands }) =>
    commands.flatMap(({ pointer, text, args }): Report[] => {
      const key = args === null ? /\$\{user_config\.(\w+)\}/.exec(text)?.[1] : undefined;
      if (key === undefined) return [];
      const message = `Claude Code refuses to run this hook: \${user_config.${key}} stands in a line for a shell (2.1.332).`;
      const help = `Read $CLAUDE_PLUGIN_OPTION_${key.toUpperCase()} in the hook, or write the program as command and its words as args.`;
      return [{ at: data.valueSpan(pointer), message, help, severity: 'warning' }];
    }),
  );
}

function isEvent(key: string): boolean {
  return claudeCode.hookEvents?.includes(key) === true || /^(?:preToolUse|postToolUse|BeforeTool|AfterTool)$/.test(key);
}

/** Reports a version other than 1, the only one that Copilot CLI and Cursor read (their documentation). */
function versionOf(file: ConfigFile, data: LocatedText): Report[] {
  const version = data.at('/version');
  if (!isFields(data.root) || file.runner === null || version === 1 || handlersOf(file).length === 0) return [];
  const runner = traitsOf(file.runner).title;
  if (version !== undefined)
    return [
      { at: data.valueSpan('/version'), message: `${runner} reads version 1, not ${shown(version)}.`, severity: 'warning' },
    ];
  const start = file.source.text.indexOf('{') + 1;
  const fix: Fix = { description: 'Write the version', edits: [{ file: file.path, start, end: start, text: ' "version": 1,' }] };
  const message = `${runner} asks for "version": 1 at the top of this file.`;
  const help = 'Write "version": 1 before the hooks.';
  return [{ at: file.source.span(start - 1, start), message, help, severity: 'warning', ...(start > 0 && { fix }) }];
}

function faultyEntries(file: ConfigFile, data: LocatedText): Report[] {
  const { runner, config } = file;
  if (runner === null) return [];
  return eventsOf(file).flatMap(({ name, pointer, value }) => {
    if (config === 'claude-hooks' || config === 'claude-plugin') return isEvent(name) ? ofClaude(file, data, name, value) : [];
    if (!Array.isArray(value)) return notListed(traitsOf(runner).title, name, data, pointer, value);
    return value.slice(0, 100).flatMap((entry: unknown, at) => ofEntry(file, data, entry, pointerTo(pointer, at)));
  });
}

function notListed(runner: string, name: string, data: LocatedText, pointer: string, value: unknown): Report[] {
  if (!isFields(value) || !isEvent(name)) return [];
  return [
    { at: data.valueSpan(pointer), message: `${runner} reads a list of entries for ${name}, not a map.`, severity: 'warning' },
  ];
}

function ofClaude(file: ConfigFile, data: LocatedText, event: string, value: unknown): Report[] {
  return eventMistakes(event, value).map((mistake): Report => {
    const fix = mistake.flat === true ? nestedHook(file, mistake.pointer) : null;
    return { at: data.valueSpan(mistake.pointer), ...effectOf(mistake, 'this plugin'), ...(fix !== null && { fix }) };
  });
}

function ofEntry(file: ConfigFile, data: LocatedText, entry: unknown, pointer: string): Report[] {
  const { runner } = file;
  if (!isFields(entry) || runner === null) return [];
  const starts = ['command', 'bash', 'powershell', 'url', 'prompt'].some((key) => typeof entry[key] === 'string');
  const at = data.valueSpan(pointer);
  const name = traitsOf(runner).title;
  if (NESTED.has(runner) && !Array.isArray(entry.hooks) && starts) {
    const fix = nestedHook(file, pointer);
    const message = `${name} passes over this hook: it has to stand in a list "hooks" of its entry.`;
    return [{ at, message, severity: 'warning', ...(fix !== null && { fix }) }];
  }
  if (runner === 'cursor' && Array.isArray(entry.hooks) && !starts)
    return [
      {
        at,
        message: `${name} passes over this hook: its command has to stand in the entry itself, not in a list "hooks".`,
        severity: 'warning',
      },
    ];
  return [];
}
