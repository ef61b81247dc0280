/**
 * Files that the prompt of OpenCode's `task` tool mentions with `@`: OpenCode reads them for the agent that it starts without
 * asking the hook (1.18.33), so the call is decided as if it read each of them.
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ToolCall } from '../../call/tool-call.js';
import { type Decision, told } from '../../decide/ruling/decision.js';
import type { SkillFact } from '../../decide/ruling/facts.js';
import { repositoryTop } from '../../disk/git/directory.js';

/** The pattern that OpenCode uses to find mentions. */
const MENTION = /(?<![\w`])@(\.?[^\s`,.]*(?:\.[^\s`,.]+)*)/g;
/** At most this many mentions are resolved; no prompt needs more. */
const MOST = 1000;
/** At most this many files are judged. */
const MOST_FILES = 32;

/**
 * Returns null if no file is mentioned, or if reading each of them is allowed.
 * @param decideCall the same decision for another call
 */
export function mentionFact(
  call: ToolCall,
  { project, home }: { readonly project: string; readonly home: string },
  decideCall: (call: ToolCall) => Decision,
): SkillFact | null {
  const { prompt } = call.input;
  if (typeof prompt !== 'string' || !prompt.includes('@')) return null;
  const names = [...new Set([...prompt.matchAll(MENTION)].map(([, name = '']) => name))].filter((name) => name !== '');
  if (names.length > MOST) return tooMany(`more than ${MOST} names`);
  // From the top of the repository; outside of a repository, from the root of the file system.
  const folders = [...new Set([repositoryTop(call.cwd) ?? '/', project])];
  const paths = names.flatMap((name) =>
    (name.startsWith('~/') ? [join(home, name.slice(2))] : folders.map((folder) => resolve(folder, name))).flatMap((path) =>
      existsSync(path) ? [{ name, path }] : [],
    ),
  );
  if (paths.length > MOST_FILES) return tooMany(`more than ${MOST_FILES} files`);
  const rulings = paths.flatMap(({ name, path }): SkillFact['rulings'] => {
    const { decision, reasons } = decideCall({ ...call, tool: 'read', input: { filePath: path } });
    if (decision === 'allow') return [];
    const message = `the prompt mentions @${name}, which OpenCode reads without asking: ${told(reasons).first}`;
    return [{ effect: decision, code, message }];
  });
  return rulings.length === 0 ? null : { rulings };
}

const code = 'mention/file';

function tooMany(what: string): SkillFact {
  return {
    rulings: [{ effect: 'ask', code, message: `the prompt mentions ${what} with @, which OpenCode reads without asking` }],
  };
}
