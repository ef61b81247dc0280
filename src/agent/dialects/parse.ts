/** Parses the text of a definition, in every dialect. */
import { isFields } from '../../call/fields.js';
import type { RunnerId } from '../../call/tool-call.js';
import { type FileProblem, type Located, parseLocated } from '../../policy/read/located.js';
import type { AgentDefinition, Dialect, PermissionsConfig } from '../agent.js';
import { complain, type FieldReader, type Fields, fieldReader, fieldsOf, flagAt } from '../fields.js';
import { formatTraits } from '../format.js';
import { MAX_DEFINITION, splitFrontMatter } from '../front-matter.js';
import { fileStem, normalizeName } from '../name.js';
import { stricterMode } from '../permissions.js';
import { type OwnPolicy, readOwnPolicy, refuseOtherKeys } from '../policy-keys.js';
import { meetToolLists } from '../tool-list.js';
import { writtenName } from '../written-name.js';
import { isReadByClaude, quoteValues } from '../yaml-repair.js';
import type { DialectReader, DialectReading } from './dialect.js';
import { readerOf } from './native.js';

export interface AgentOrigin {
  /** As shown in messages: relative for a project, absolute for a user. */
  readonly file: string;
  readonly dialect: Dialect;
  readonly scope: AgentDefinition['scope'];
  /** Parse it in this runner's own format. */
  readonly runner?: RunnerId;
}

/**
 * Parses one agent definition. Never throws and never omits a file: an unreadable one becomes an `invalid` definition without
 * tools, with its errors, named by its line `name:` or else by its file.
 * @param parse for a caller that needs the parsed data, too
 */
export function parseAgent(text: string, origin: AgentOrigin, parse: typeof parseLocated = parseLocated): AgentDefinition {
  const dialect = readerOf(origin);
  const source = readSource(text, dialect, origin.file, parse);
  const stem = fileStem(origin.file);
  const { reader } = source.fields;
  if (!source.readable) {
    const rawName = writtenName(text, dialect.form) ?? stem;
    return definitionOf(origin, { ...NOTHING, rawName }, NO_POLICY, source);
  }
  const reading = dialect.read({ fields: source.fields, body: source.body, stem });
  if (normalizeName(reading.rawName) === '') complain(source.fields, 'name', 'agent/name-empty', 'normalized name is empty');
  refuseMergeKey(source.fields);
  return definitionOf(origin, reading, ownPolicy(source.fields, reader, reading.own), source);
}

const NO_POLICY: OwnPolicy = { include: { state: 'absent' }, exclude: [], readOnly: false, permissions: null };
const NOTHING: Omit<DialectReading, 'rawName'> = {
  description: null,
  tools: { state: 'empty' },
  excludedTools: [],
  capabilities: null,
  own: null,
};

/** A definition's text as fields and body; unreadable text has no fields, and at least one problem, unless it is a list of others. */
interface Source {
  readonly fields: Fields;
  readonly body: string | null;
  readonly readable: boolean;
}

function readSource(
  text: string,
  { form, repairs, lenient, lists }: DialectReader,
  file: string,
  parse: typeof parseLocated,
): Source {
  const split =
    form === 'markdown'
      ? splitFrontMatter(text)
      : text.length > MAX_DEFINITION
        ? { ok: false as const, code: 'agent/too-large', message: 'This definition is larger than 1 MiB.', line: 1 }
        : { ok: true as const, yaml: text, yamlLine: 1, body: '' };
  if (!split.ok) return unreadable(file, split.line, 1, split.code, split.message);
  const first = parse(split.yaml, form === 'toml' ? 'toml' : 'yaml', form === 'markdown');
  const repaired = !first.ok && repairs && first.problem.code === 'file/syntax' ? repair(split.yaml, parse) : null;
  const located = repaired ?? first;
  if (!located.ok) {
    const { line, column } = located.problem;
    const isRead = lenient === true && located.problem.code === 'file/syntax' && repair(split.yaml, parse) !== null;
    if (isRead) return unreadable(file, line + split.yamlLine - 1, column, 'agent/read-by-runner', readAsText(located.problem));
    const { code, message } = repairs && form === 'markdown' ? asClaudeReads(split.yaml, located.problem) : located.problem;
    return unreadable(file, line + split.yamlLine - 1, column, code, message);
  }
  const body = split.body === '' ? null : split.body;
  if (lists === true && Array.isArray(located.data))
    return { fields: fieldsOf(null, '', fieldReader(located, file, split.yamlLine)), body, readable: false };
  if (!isFields(located.data))
    return unreadable(file, split.yamlLine, 1, 'agent/not-a-map', 'A definition is a map of keys: name, description …');
  const reader = fieldReader(located, file, split.yamlLine);
  if (repaired !== null && !first.ok)
    reader.problems.push({
      code: 'agent/yaml-needs-quotes',
      message: `This is not valid YAML as it stands: ${reasonOf(first.problem.message)}. Claude Code reads it by putting quotes around values.`,
      source: { file, line: first.problem.line + split.yamlLine - 1, column: first.problem.column },
      severity: 'warning',
    });
  return { fields: fieldsOf(located.data, '', reader), body, readable: true };
}

function readAsText({ message }: FileProblem): string {
  return `This is not valid YAML: ${reasonOf(message)}. The runner loads it all the same, with all values that have a colon as texts; policy does not use it.`;
}

/** Returns the problem of a text that is not valid YAML but that Claude Code loads: the definition is not lost, only unused by policy. */
function asClaudeReads(yaml: string, problem: FileProblem): Pick<FileProblem, 'code' | 'message'> {
  if (problem.code !== 'file/syntax' || !isReadByClaude(yaml, (text) => parseLocated(text, 'yaml').ok)) return problem;
  const why = `This is not valid YAML: ${reasonOf(problem.message)}.`;
  return { code: 'agent/read-by-claude', message: `${why} Claude Code 2.1.197 loads it all the same; policy does not use it.` };
}

/** Extracts `bad indentation of a mapping entry` from a message of the YAML parser. */
export function reasonOf(message: string): string {
  return message.replace(/^This is not valid YAML: /, '').replace(/\.$/, '');
}

function repair(yaml: string, parse: typeof parseLocated): Located | null {
  const quoted = quoteValues(yaml);
  const second = quoted === null ? null : parse(quoted, 'yaml');
  return second?.ok ? second : null;
}

function unreadable(file: string, line: number, column: number, code: string, message: string): Source {
  const reader = fieldReader(null, file, line);
  reader.problems.push({ code, message, source: { file, line, column }, severity: 'error' });
  return { fields: fieldsOf(null, '', reader), body: null, readable: false };
}

/** Refuses YAML's merge key, which would bring keys from elsewhere in the file, such as `tools`; it is not followed. */
function refuseMergeKey(fields: Fields): void {
  if (fields.data.has('<<')) complain(fields, '<<', 'agent/merge-key', 'Merge keys (<<) are not read; write the keys out.');
}

/** Reads the map `policy:`, and the dialect's own permission keys; both apply. */
function ownPolicy(fields: Fields, reader: FieldReader, own: OwnPolicy | null): OwnPolicy {
  const value = fields.data.get('policy');
  if (value === undefined) return own ?? NO_POLICY;
  if (!isFields(value))
    complain(fields, 'policy', 'agent/not-a-map', '`policy` has to be a map: permission_mode, allow, deny, ask …');
  const inner = fieldsOf(value, '/policy', reader);
  refuseOtherKeys(inner);
  const written = readOwnPolicy(inner);
  if (own === null) return written;
  return {
    include: meetToolLists(own.include, written.include),
    exclude: [...own.exclude, ...written.exclude],
    readOnly: own.readOnly || written.readOnly,
    permissions: bothPermissions(own.permissions, written.permissions),
  };
}

/** Rules in two places of one file are united: both were written by the same person. */
function bothPermissions(left: PermissionsConfig | null, right: PermissionsConfig | null): PermissionsConfig | null {
  if (left === null || right === null) return left ?? right;
  const rules = [...left.rules, ...right.rules];
  return {
    rules: ['allow', 'deny', 'ask'].flatMap((effect) => rules.filter((rule) => rule.effect === effect)),
    defaultMode: stricterMode(left.defaultMode, right.defaultMode),
    allowedTools: null,
    disallowedTools: [],
  };
}

/** An invalid model never makes a definition unusable: runners pass it on or ignore it. */
function modelAt(fields: Fields, runner: RunnerId | undefined): string | null {
  const value = fields.data.get('model');
  if (value === undefined || value === null) return null;
  if (Array.isArray(value) && runner !== undefined && formatTraits(runner).modelLists) return null;
  if (typeof value === 'string') return value.trim() === '' ? null : value.trim();
  complain(fields, 'model', 'agent/not-text', '`model` has to be text; it is ignored.', 'warning');
  return null;
}

function definitionOf(origin: AgentOrigin, reading: DialectReading, own: OwnPolicy, { fields, body }: Source): AgentDefinition {
  const enabled = flagAt(fields, 'enabled', false) ?? true;
  const model = modelAt(fields, origin.runner);
  const { problems } = fields.reader;
  const invalid = problems.some((problem) => problem.severity !== 'warning');
  return {
    name: normalizeName(reading.rawName),
    rawName: reading.rawName,
    description: reading.description,
    dialect: origin.dialect,
    scope: origin.scope,
    source: { ...fields.reader.keyAt('/name'), file: origin.file },
    tools: meetToolLists(reading.tools, own.include),
    excludedTools: [...new Set([...reading.excludedTools, ...own.exclude])],
    permissions: own.permissions,
    readOnly: own.readOnly,
    ...(reading.readsOnly === true && { readsOnly: true }),
    ...(origin.runner !== undefined && { runner: origin.runner }),
    model,
    body,
    capabilities: reading.capabilities,
    ...(reading.settings === undefined ? {} : { settings: reading.settings }),
    status: invalid ? 'invalid' : enabled ? 'active' : 'disabled',
    errors: problems,
  };
}
