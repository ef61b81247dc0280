/** .codex/agents/*.yaml: seed 004. Only granted capabilities are available; a value of the wrong type is an error. */
import { isFields } from '../../call/fields.js';
import { pointerTo } from '../../policy/read/pointer.js';
import type { AgentCapabilities, AgentSettings } from '../agent.js';
import { complain, type Fields, fieldsOf, flagAt, listAt, textAt } from '../fields.js';
import { requiredName } from '../required.js';
import { toolListOf } from '../tool-list.js';
import type { DialectInput, DialectReader, DialectReading } from './dialect.js';

export const codexYaml: DialectReader = { form: 'yaml', repairs: false, read };

const DEFAULT_TOKENS = 16_000;
const RETENTIONS = ['job', 'session', 'permanent'] as const;
const CUSTOM = /^[a-z][a-z0-9]*_custom:[a-z0-9]+(?:[-_][a-z0-9]+)*$/;

function read({ fields, stem }: DialectInput): DialectReading {
  const tools = mapAt(fields, 'tools');
  const mcp = mcpTools(tools);
  const goal = textAt(fields, 'goal') ?? textAt(fields, 'description');
  if (goal === null) complain(fields, 'goal', 'agent/description-missing', 'description is required');
  return {
    rawName: requiredName(fields) ?? stem,
    description: goal,
    tools: toolListOf(mcp),
    excludedTools: [],
    capabilities: capabilitiesOf(tools, mcp),
    settings: settingsOf(fields),
    own: null,
  };
}

/** Returns the map at a key, or an empty one if the key is absent. Any other value is a mistake and counts as an empty map. */
function mapAt(fields: Fields, key: string): Fields {
  const value = fields.data.get(key);
  if (value !== undefined && value !== null && !isFields(value))
    complain(fields, key, 'agent/not-a-map', `\`${key}\` has to be a map.`);
  return fieldsOf(value, pointerTo(fields.pointer, key), fields.reader);
}

function capabilitiesOf(tools: Fields, mcp: readonly string[]): AgentCapabilities {
  const files = mapAt(tools, 'fs');
  return {
    mcp,
    read: grantAt(files, 'read'),
    write: grantAt(files, 'write'),
    net: namesAt(mapAt(tools, 'net'), 'allow'),
    shell: isFields(tools.data.get('shell')) ? namesAt(mapAt(tools, 'shell'), 'exec') : namesAt(tools, 'shell'),
  };
}

/** Returns true, false, or a list of paths. */
function grantAt(fields: Fields, key: string): boolean | readonly string[] {
  const value = fields.data.get(key);
  if (typeof value === 'boolean') return value;
  return value === undefined ? false : namesAt(fields, key);
}

function namesAt(fields: Fields, key: string): string[] {
  return (listAt(fields, key) ?? []).map((item) => item.text.trim());
}

/**
 * Returns the entries of `tools.mcp` that grant a tool. A chain (`a → b`) grants nothing: each of its links has to be listed
 * separately. A custom tool (`codex_custom:my_analyzer`) has to be declared in `tools.custom`.
 */
function mcpTools(tools: Fields): string[] {
  const entries = namesAt(tools, 'mcp');
  const declared = namesAt(tools, 'custom');
  const granted = entries.filter((entry) => !/\u2192|->/.test(entry));
  for (const entry of entries.filter((one) => !granted.includes(one))) {
    const missing = entry.split(/\u2192|->/).find((link) => !granted.includes(link.trim()));
    if (missing !== undefined)
      complain(
        tools,
        'mcp',
        'agent/chain',
        `Every link of a chain has to be listed by itself; ${JSON.stringify(missing.trim())} is not.`,
      );
  }
  for (const entry of granted.filter((one) => one.includes(':'))) {
    if (!CUSTOM.test(entry))
      complain(tools, 'mcp', 'agent/custom-tool', `A custom tool is written prefix_custom:name, not ${JSON.stringify(entry)}.`);
    else if (!declared.includes(entry))
      complain(tools, 'mcp', 'agent/custom-tool', `The custom tool ${entry} is not declared in tools.custom.`);
  }
  return granted;
}

function settingsOf(fields: Fields): AgentSettings {
  const policies = mapAt(fields, 'policies');
  // Read only to report mistakes: restrictions are lists here; upstream, a map makes the whole file unreadable.
  namesAt(policies, 'shell');
  namesAt(policies, 'net');
  const context = mapAt(policies, 'context');
  const secrets = mapAt(policies, 'secrets');
  return {
    maxTokens: tokensAt(context),
    retention: retentionAt(context),
    redactSecrets: flagAt(secrets, 'redact', true) ?? false,
    successCriteria: namesAt(fields, 'success_criteria'),
    artifacts: namesAt(fields, 'artifacts'),
  };
}

function tokensAt(context: Fields): number {
  const value = context.data.get('max_tokens');
  if (value === undefined) return DEFAULT_TOKENS;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  complain(context, 'max_tokens', 'agent/max-tokens', '`max_tokens` has to be a whole number.');
  return 0;
}

/** Returns the retention. An unknown value causes a warning and counts as `job`, the shortest. */
function retentionAt(context: Fields): AgentSettings['retention'] {
  const value = context.data.get('retention');
  if (value === undefined) return 'job';
  const known = RETENTIONS.find((one) => one === value);
  if (known === undefined)
    complain(
      context,
      'retention',
      'agent/retention',
      `\`retention\` is one of ${RETENTIONS.join(', ')}; job is taken.`,
      'warning',
    );
  return known ?? 'job';
}
