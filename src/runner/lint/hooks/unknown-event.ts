import { traitsOf } from '../../../call/traits.js';
import { eventsOf, type HookEvent, type HookFile, isUncertain, runnerOfHooks } from '../../../lint/project/handlers.js';
import { forHookFiles, type LintRule, type Report } from '../../../lint/project/rule.js';
import { editDistance, nearestWord } from '../../../policy/nearest.js';
import { shown } from '../../../policy/sentences.js';
import { allRunners } from '../../runners.js';

export const unknownEvent: LintRule = {
  id: 'hooks/unknown-event',
  severity: 'warning',
  docs: {
    what: 'A hook is registered for an event that its runner does not have.',
    why: 'Names are compared letter by letter, case included; a hook for any other name never runs, and nothing says so.',
    bad: '{ "hooks": { "preToolUse": [{ "hooks": [{ "type": "command", "command": "./guard.sh" }] }] } }\n',
    good: '{ "hooks": { "PreToolUse": [{ "hooks": [{ "type": "command", "command": "./guard.sh" }] }] } }\n',
    fix: 'Write the event as the message says.',
  },
  check: forHookFiles((file) => eventsOf(file).flatMap((event) => check(file, event))),
};

const EVENTS: ReadonlyMap<string, readonly string[]> = new Map(allRunners().map(({ id, hookEvents = [] }) => [id, hookEvents]));
/**
 * Each runner's name for the same moment: before a call, after it, at the start and end of a session, after a person's prompt, at
 * the end of a turn, before compaction.
 */
const MOMENTS: readonly (readonly string[])[] = [
  ['PreToolUse', 'BeforeTool', 'preToolUse', 'pre_tool_use', 'tool.execute.before'],
  ['PostToolUse', 'AfterTool', 'postToolUse', 'post_tool_use', 'tool.execute.after'],
  ['SessionStart', 'sessionStart', 'session_start'],
  ['SessionEnd', 'sessionEnd', 'session_end'],
  ['UserPromptSubmit', 'userPromptSubmitted', 'beforeSubmitPrompt', 'BeforeAgent'],
  ['Stop', 'stop', 'agentStop', 'AfterAgent'],
  ['PreCompact', 'preCompact', 'PreCompress'],
];

function check(file: HookFile, { name, pointer, value }: HookEvent): readonly Report[] {
  const { data, path, source } = file;
  const runner = runnerOfHooks(file);
  const known = runner === null ? [] : (EVENTS.get(runner) ?? []);
  if (data === null || runner === null || known.length === 0 || known.includes(name) || !Array.isArray(value)) return [];
  const meant = meantEvent(name, known);
  const end = meant === null ? '.' : `; did you mean ${meant}?`;
  const message = `${traitsOf(runner).title} has no event ${shown(name)}, so this hook never runs${end}`;
  const at = data.keySpan(pointer);
  // A name that resembles none may belong to a newer version.
  if (meant === null) return [{ at, message, severity: 'info', confidence: 'medium', help: `Use one of ${known.join(', ')}.` }];
  const isFree = data.at(pointer.slice(0, -name.length) + meant) === undefined;
  if (editDistance(name, meant) > 0 || !isFree || path.endsWith('.toml') || isUncertain(file)) return [{ at, message }];
  const start = source.offsetAt(at);
  const edits = [{ file: path, start, end: start + name.length, text: meant }];
  return [{ at, message, fix: { description: `Rename it to ${meant}`, edits } }];
}

function meantEvent(name: string, known: readonly string[]): string | null {
  const moment = MOMENTS.find((names) => names.includes(name));
  return moment?.find((other) => known.includes(other)) ?? nearestWord(name, known);
}
