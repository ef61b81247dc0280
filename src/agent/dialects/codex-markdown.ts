/** .codex/agents/*.md: the data model of seed 002, whose sample is also used in seed 000. */
import { complain, listAt } from '../fields.js';
import { requiredDescription, requiredName } from '../required.js';
import { toolListOf } from '../tool-list.js';
import type { DialectInput, DialectReader, DialectReading } from './dialect.js';

export const codexMarkdown: DialectReader = { form: 'markdown', repairs: false, read };

function read({ fields, body, stem }: DialectInput): DialectReading {
  if (fields.data.has('scope'))
    complain(
      fields,
      'scope',
      'agent/scope-ignored',
      'The scope follows from where the file lies; this key is ignored.',
      'warning',
    );
  if (body === null) complain(fields, '', 'agent/body-missing', 'subagent definition must include a Markdown instructions body');
  return {
    rawName: requiredName(fields) ?? stem,
    description: requiredDescription(fields),
    tools: toolListOf(listAt(fields, 'tools')?.map((item) => item.text) ?? null),
    excludedTools: [],
    capabilities: null,
    own: null,
  };
}
