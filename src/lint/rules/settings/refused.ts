import { formatTraits, runnerOfFormat } from '../../../agent/format.js';
import { RUNNERS, type RunnerId } from '../../../call/tool-call.js';
import { traitsOf } from '../../../call/traits.js';
import { data as rulesData } from '../../../generated/data.js';
import type { AgentFile, ConfigFile } from '../../files/files.js';
import type { LintRule, Report } from '../../project/rule.js';
import { type Shapes, shapeMistakes } from '../../settings/shapes.js';

export const refusedSettings: LintRule = {
  id: 'settings/refused',
  severity: 'error',
  docs: {
    what: 'The client does not start with a value of its settings, or passes over a part of them.',
    why: 'People effect start it without these settings, and what they denied is allowed; what is passed over denies nothing, and no message says so.',
    bad: '# opencode.json\n{ "permission": { "bash": false } }\n',
    good: '# opencode.json\n{ "permission": { "bash": "deny" } }\n',
    fix: 'Write a value that the message names.',
    source: 'the schemas in the programs',
    verifiedOn: 'OpenCode 1.18.33, Codex 0.171.0, Gemini CLI 0.61.0',
  },
  check: ({ configs, agents }) => [
    ...configs.flatMap((file) => (file.runner === null ? [] : check(file, file.runner))),
    ...agents.flatMap((file) => (file.guessed ? [] : check(file, runnerOfFormat(file.format)))),
  ],
};

const known = new Map(RUNNERS.map((runner) => [runner, rulesData(`shapes/${runner}`) as Shapes | undefined]));

function check(file: ConfigFile | AgentFile, runner: RunnerId): readonly Report[] {
  const shapes = known.get(runner);
  const { data } = file;
  const type = file.kind === 'agent' ? shapes?.heads?.[file.format] : shapes?.config === file.config ? '.' : null;
  if (shapes === undefined || data === null || typeof type !== 'string') return [];
  const isOfPerson = file.path.startsWith('~/');
  const isLeftOut = file.kind === 'agent' && formatTraits(file.format).leavesOutFaulty === true;
  const ends = isLeftOut ? 'does not load this agent' : 'does not start';
  const found = shapeMistakes(shapes, data.root, type).filter(({ effect }) => effect !== 'user' || !isOfPerson);
  return found.map(({ pointer, about, why, effect }) => ({
    at: about === 'key' ? data.keySpan(pointer) : data.valueSpan(pointer),
    message: `${traitsOf(runner).title} ${effect === 'ends' ? ends : 'starts without this'}: ${why}.`,
    ...(effect === 'user' && {
      severity: 'warning' as const,
      help: 'Move it into that file, where the person decides about it.',
    }),
  }));
}
