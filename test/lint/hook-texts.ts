// Settings with hooks in them, in one line each.
export const SETTINGS = '.claude/settings.json';

/** Settings with one hook before calls. */
export function hooked(handler: string, event = 'PreToolUse', group = ''): string {
  return `{"hooks": {"${event}": [{${group}"hooks": [${handler}]}]}}`;
}

/** A command hook as a value of JSON. */
export function commandHook(command: string, more = ''): string {
  return `{"type": "command", "command": ${JSON.stringify(command)}${more}}`;
}
