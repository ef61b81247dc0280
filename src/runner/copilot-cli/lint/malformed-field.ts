import { isFields } from '../../../call/fields.js';
import type { AgentFile } from '../../../lint/files/files.js';
import { forAgents, type LintRule, type Report } from '../../../lint/project/rule.js';
import { shown } from '../../../policy/sentences.js';

export const copilotMalformedField: LintRule = {
  id: 'copilot/malformed-field',
  severity: 'error',
  docs: {
    what: 'A field of a Copilot agent has a value of the wrong type.',
    why: 'Copilot CLI does not load the agent; only its log says so ("custom agent markdown frontmatter is malformed").',
    bad: '---\nname: reviewer\ndescription: Reviews changes.\ninfer: "true"\n---\nRead the diff first.\n',
    good: '---\nname: reviewer\ndescription: Reviews changes.\ninfer: true\n---\nRead the diff first.\n',
    fix: 'Write the value as the message says; quotes make a text of true and false.',
    source: 'the log of the client, field by field',
    verifiedOn: 'Copilot CLI 1.0.102',
    runners: ['copilot-cli'],
  },
  check: forAgents(check, 'copilot-cli'),
};

type Type = readonly [words: string, isGood: (value: unknown) => boolean];

const isText = (value: unknown) => typeof value === 'string';
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText);
const SWITCH: Type = ['true or false', (value) => typeof value === 'boolean'];
const TEXTS: Type = ['a list of texts', isTexts];
const LISTABLE: Type = ['a text or a list of texts', (value) => isText(value) || isTexts(value)];

const TYPES: Readonly<Record<string, Type>> = {
  ...{ infer: SWITCH, 'disable-model-invocation': SWITCH, 'user-invocable': SWITCH },
  ...{ tools: LISTABLE, model: LISTABLE, skills: TEXTS },
  'mcp-servers': ['a map of servers', (value) => isFields(value) && Object.values(value).every(isFields)],
  hooks: ['a map of lists of hooks', (value) => isFields(value) && Object.values(value).every(Array.isArray)],
};

function check({ data, guessed }: AgentFile): readonly Report[] {
  if (guessed || data === null) return [];
  return Object.entries(TYPES).flatMap(([key, [words, isGood]]) => {
    const value = data.at(`/${key}`);
    if (value === undefined || isGood(value)) return [];
    const is = value === null ? 'and has no value' : `not ${shown(value)}`;
    return [
      {
        at: value === null ? data.keySpan(`/${key}`) : data.valueSpan(`/${key}`),
        message: `Copilot CLI does not load this agent: ${key} has to be ${words}, ${is}.`,
      },
    ];
  });
}
