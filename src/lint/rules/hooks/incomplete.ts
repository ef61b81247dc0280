import { pointerTo } from '../../../policy/read/pointer.js';
import { shown } from '../../../policy/sentences.js';
import { startsPolicyHook } from '../../hooks/own-line.js';
import { type HookFile, type HookHandler, handlersOf, isBeforeCall, matcherOf } from '../../project/handlers.js';
import { forHookFiles, type LintRule, type Report } from '../../project/rule.js';

export const incomplete: LintRule = {
  id: 'hooks/incomplete',
  severity: 'warning',
  docs: {
    what: 'The policy hook is installed, but not before every call.',
    why: 'Calls of the other tools run unchecked: a shell has many names, and so has writing a file.',
    bad: '{ "hooks": { "PreToolUse": [{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "policy hook claude-code" }] }] } }\n',
    good: '{ "hooks": { "PreToolUse": [{ "matcher": "*", "hooks": [{ "type": "command", "command": "policy hook claude-code" }] }] } }\n',
    fix: 'Write "*" as the matcher, or install the hook with `policy install`.',
  },
  check: forHookFiles(check),
};

/** Matchers that certainly match every tool. */
const EVERY_TOOL: ReadonlySet<unknown> = new Set([undefined, '', '*', '.*', '^.*$']);
/** The events before a call of any kind; Cursor's other events are for one kind of call each. */
const EVERY_CALL: ReadonlySet<string> = new Set(['PreToolUse', 'BeforeTool', 'preToolUse']);

function check(file: HookFile): readonly Report[] {
  const ours = handlersOf(file).filter(({ commands }) => commands.some(({ text }) => startsPolicyHook(text)));
  const before = ours.filter(isBeforeCall);
  const [first] = ours;
  if (first === undefined) return [];
  if (before.length === 0) {
    const message = `The policy hook stands at ${first.event} only, not before tool calls: no call is checked.`;
    return [{ at: first.data.keySpan(`/hooks/${first.event}`), message }];
  }
  const gaps = before.map(gapOf);
  return gaps.some((gap) => gap === null) ? [] : gaps.slice(0, 1).flatMap((gap) => (gap === null ? [] : [gap]));
}

function gapOf(handler: HookHandler): Report | null {
  const { data, event, fields, pointer, groupPointer, file } = handler;
  const matcher = matcherOf(handler);
  if (!EVERY_CALL.has(event)) {
    const message = `The policy hook stands at ${event} only; calls of other kinds are not checked.`;
    return { at: data.keySpan(`/hooks/${event}`), message };
  }
  if (!EVERY_TOOL.has(matcher)) {
    const at = data.valueSpan(`${groupPointer}/matcher`);
    const [start, end] = [file.source.offsetAt(at), file.source.offsetAt({ line: at.endLine, column: at.endColumn })];
    const message = `The policy hook sees the tools that match ${shown(matcher)} only; every other call runs unchecked.`;
    if (typeof matcher !== 'string' || file.path.endsWith('.toml')) return { at, message };
    return { at, message, fix: { description: 'Match every tool', edits: [{ file: file.path, start, end, text: '"*"' }] } };
  }
  const key = (['if', 'async', 'asyncRewake', 'once'] as const).find(
    (name) => fields[name] !== undefined && fields[name] !== false,
  );
  if (key === undefined) return null;
  const why = {
    if: 'is asked about some calls only',
    async: 'runs beside the call and cannot stop it',
    asyncRewake: 'runs beside the call and cannot stop it',
    once: 'is asked once only',
  };
  return { at: data.valueSpan(pointerTo(pointer, key)), message: `With ${shown(key)} the policy hook ${why[key]}.` };
}
