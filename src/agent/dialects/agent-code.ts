/** .agent/agents/*.md: seed 003; name and description may be absent, the permission keys are at the top level. */
import { complain, textAt } from '../fields.js';
import { readOwnPolicy } from '../policy-keys.js';
import type { DialectInput, DialectReader, DialectReading } from './dialect.js';

export const agentCode: DialectReader = { form: 'markdown', repairs: false, read };

function read({ fields, stem }: DialectInput): DialectReading {
  const own = readOwnPolicy(fields);
  if (fields.data.has('tools'))
    complain(fields, 'tools', 'agent/tools-ignored', 'agent-code does not read `tools`; write include_tools.', 'warning');
  return {
    rawName: textAt(fields, 'name') ?? stem,
    description: textAt(fields, 'description'),
    tools: own.include,
    excludedTools: own.exclude,
    capabilities: null,
    own,
  };
}
