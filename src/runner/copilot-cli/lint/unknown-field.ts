import { reportTogether } from '../../../lint/agents/several.js';
import type { AgentFile } from '../../../lint/files/files.js';
import { forAgents, type LintRule, type Report } from '../../../lint/project/rule.js';
import { editDistance } from '../../../policy/nearest.js';
import { shown } from '../../../policy/sentences.js';

export const copilotUnknownField: LintRule = {
  id: 'copilot/unknown-field',
  severity: 'warning',
  persona: 'reviewer',
  docs: {
    what: 'An agent of Copilot has fields that Copilot CLI does not read; a warning where they would limit the agent, or are nearly one that it reads.',
    why: 'Copilot CLI passes over them, and only its log says so: a limit that stands in such a field does not hold.',
    bad: '---\nname: reviewer\ndescription: Reviews changes.\ndisallowedTools: Bash\n---\nRead the diff first.\n',
    good: '---\nname: reviewer\ndescription: Reviews changes.\ntools: [read, search]\n---\nRead the diff first.\n',
    fix: 'Write the field that Copilot reads, or take this one out.',
    source: 'the log of the client ("unknown field ignored")',
    verifiedOn: 'Copilot CLI 1.0.102',
    runners: ['copilot-cli'],
  },
  check: forAgents(check, 'copilot-cli'),
};

const READ = [
  ...['name', 'description', 'tools', 'model', 'infer', 'disable-model-invocation', 'user-invocable', 'mcp-servers'],
  ...['hooks', 'skills', 'github', 'deferred-tool-loading', 'reasoning-effort'],
];
/** Fields that Copilot reads elsewhere: at GitHub and in VS Code. */
const ELSEWHERE: ReadonlySet<string> = new Set(['target', 'metadata', 'argument-hint', 'handoffs', 'agents', 'mode', 'policy']);
/** Fields with which other coding agents limit an agent. */
const LIMITS =
  /^(?:(?:dis)?allowed[-_]?tools|permission[-_]?modes?|permissions?|max[-_]?turns|exclude[-_]?tools|deny|read[-_]?only)$/i;

/** One finding for every field that is missed, and one for all others together. */
function check({ data, guessed }: AgentFile): readonly Report[] {
  if (guessed || data === null) return [];
  const unknown = data.keys.filter((key) => !READ.includes(key) && !ELSEWHERE.has(key)).slice(0, 100);
  const missed: Report[] = [];
  const others = unknown.flatMap((key) => {
    const span = data.keySpan(`/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
    const near = key.length > 3 && key.length < 40 ? READ.find((one) => editDistance(key, one) < 2) : undefined;
    if (near === undefined && !LIMITS.test(key)) return [{ text: key, span }];
    const instead = near === undefined ? ', and nothing that it says holds' : `; did you mean "${near}"?`;
    missed.push({ at: span, message: `Copilot CLI reads no field ${shown(key)}${instead}${near === undefined ? '.' : ''}` });
    return [];
  });
  const together = reportTogether(
    others,
    ({ text }) => `Copilot CLI reads no field ${shown(text)}.`,
    (_, list) => `Copilot CLI reads none of these fields: ${list}.`,
  );
  return together === null ? missed : [...missed, { ...together, severity: 'info' }];
}
