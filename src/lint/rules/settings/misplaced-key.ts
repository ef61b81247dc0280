import { isFields } from '../../../call/fields.js';
import { nearestWord } from '../../../policy/nearest.js';
import { pointerTo } from '../../../policy/read/pointer.js';
import { shown } from '../../../policy/sentences.js';
import type { ConfigFile } from '../../files/files.js';
import type { LintProject } from '../../project/project.js';
import { forConfigs, type LintRule, type Report } from '../../project/rule.js';
import type { Fix } from '../../text/finding.js';
import { endOfValue } from '../../text/json-text.js';

export const misplacedKey: LintRule = {
  id: 'settings/misplaced-key',
  severity: 'error',
  docs: {
    what: 'Permissions or MCP servers stand under a key, or in a place, where Claude Code does not read them.',
    why: 'Rules are read from the lists allow, ask and deny below permissions, and nowhere else: a misplaced deny rule forbids nothing.',
    bad: '{ "deny": ["Read(./.env)"] }\n',
    good: '{ "permissions": { "deny": ["Read(./.env)"] } }\n',
    fix: 'Move rules below "permissions", as allow, ask or deny, and servers to .mcp.json.',
  },
  check: forConfigs(check),
};

const EFFECTS = ['allow', 'ask', 'deny'];
const BELOW = [...EFFECTS, 'defaultMode', 'additionalDirectories', 'disableBypassPermissionsMode'];
/** Words that people write for a list of rules, and the intended ones. */
const WORDS: Readonly<Record<string, string>> = {
  denied: 'deny',
  denyList: 'deny',
  denylist: 'deny',
  deniedTools: 'deny',
  disallow: 'deny',
  disallowed: 'deny',
  disallowedTools: 'deny',
  block: 'deny',
  blocked: 'deny',
  forbid: 'deny',
  allowed: 'allow',
  allowList: 'allow',
  allowlist: 'allow',
  allowedTools: 'allow',
};

function check(file: ConfigFile, project: LintProject): readonly Report[] {
  const { data } = file;
  if (file.config !== 'claude-settings' || !isFields(data?.root)) return [];
  const permissions = data.at('/permissions');
  return [
    ...Object.keys(data.root)
      .slice(0, MOST)
      .flatMap((key) => atTop(file, key, project)),
    ...(isFields(permissions) ? Object.keys(permissions).slice(0, MOST) : []).flatMap((key) => belowPermissions(file, key)),
  ];
}

const MOST = 200;

function atTop(file: ConfigFile, key: string, project: LintProject): Report[] {
  const { data } = file;
  const pointer = pointerTo('', key);
  const value = data?.at(pointer);
  if (data === null) return [];
  const at = data.keySpan(pointer);
  if (key === '__proto__') return [{ at, message: 'Nothing that stands below "__proto__" counts.' }];
  if (key === 'mcpServers' && isFields(value) && Object.keys(value).length > 0)
    return [notStarted(at, Object.keys(value), project)];
  if (BELOW.includes(key)) {
    if (EFFECTS.includes(key) && isEmpty(value)) return [];
    const fix = restricts(key) ? movedDown(file, key, pointer) : null;
    return [
      {
        ...said(key, at, `${shown(key)} at the top of the file is not read; it belongs below "permissions"`),
        ...(fix && { fix }),
      },
    ];
  }
  if (!isFields(value) || !EFFECTS.some((effect) => Array.isArray(value[effect])) || key === 'permissions') return [];
  if (nearestWord(key, ['permissions']) === null) return [];
  const fix = 'allow' in value || data.at('/permissions') !== undefined ? null : renamed(file, pointer, 'permissions');
  return [
    {
      ...said('deny' in value ? 'deny' : 'allow', at, `${shown(key)} is not read; the key is "permissions"`),
      ...(fix && { fix }),
    },
  ];
}

/** The project's servers belong in .mcp.json, a person's in ~/.claude.json (docs: mcp). */
function notStarted(at: Report['at'], names: readonly string[], { configs }: LintProject): Report {
  const beside = at.file.replace(/(?:\.claude\/)?[^/]+$/, '.mcp.json');
  const servers = configs.find(({ path }) => path === beside)?.data?.at('/mcpServers');
  if (isFields(servers) && names.every((name) => Object.hasOwn(servers, name))) {
    const message = 'Claude Code does not read "mcpServers" from its settings; it starts these servers from .mcp.json.';
    return { at, message, severity: 'info', help: 'Remove it here.' };
  }
  const message = 'Claude Code does not read "mcpServers" from its settings, so none of these servers is started.';
  return { at, message, severity: 'warning', help: 'Move it to .mcp.json, next to the folder .claude.' };
}

function belowPermissions(file: ConfigFile, key: string): Report[] {
  const { data } = file;
  const pointer = pointerTo('/permissions', key);
  const value = data?.at(pointer);
  if (data === null || KNOWN.has(key)) return [];
  const at = data.keySpan(pointer);
  if (key === '__proto__') return [{ at, message: 'Nothing that stands below "__proto__" counts.' }];
  const meant = (Object.hasOwn(WORDS, key) ? WORDS[key] : undefined) ?? nearestWord(key, BELOW);
  if (meant === null || meant === undefined || isEmpty(value)) return [];
  const isFree = data.at(`/permissions/${meant}`) === undefined;
  const fix = restricts(meant) && isFree && Array.isArray(value) ? renamed(file, pointer, meant) : null;
  return [{ ...said(meant, at, `permissions.${key} is not read; the key is "${meant}"`), ...(fix && { fix }) }];
}

const KNOWN: ReadonlySet<string> = new Set([
  ...BELOW,
  ...['disableAutoMode', 'denyInsteadOfPrompting', 'blockReadsOutsideWorkingDirectories', 'blockReadsExemptPaths'],
  ...['blockWritesOutsideWorkingDirectories', 'workingDirectoriesAsGiven', 'workingDirectoriesExclude'],
]);

/** A deny rule that forbids nothing is an error; an allow rule that allows nothing only causes more prompts. */
function said(key: string, at: Report['at'], message: string): Report {
  const lost = key === 'deny' ? ', so nothing is denied' : key === 'ask' ? ', so nothing is asked about' : '';
  return { at, message: `${message}${lost}.`, ...(!restricts(key) && { severity: 'warning' as const }) };
}

function restricts(key: string): boolean {
  return key === 'deny' || key === 'ask' || key === 'disableBypassPermissionsMode';
}

function isEmpty(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0);
}

function renamed({ data, source, path, mistakes }: ConfigFile, pointer: string, text: string): Fix | null {
  if (data === null || isBroken(mistakes)) return null;
  const at = data.keySpan(pointer);
  const [start, end] = [source.offsetAt(at), source.offsetAt({ line: at.endLine, column: at.endColumn })];
  if (source.text[start - 1] !== '"' || source.text[end] !== '"') return null;
  return { description: `Rename it to ${text}`, edits: [{ file: path, start, end, text }] };
}

/** Only if there are no permissions yet, and this is the only key that belongs there. */
function movedDown({ data, source, path, mistakes }: ConfigFile, key: string, pointer: string): Fix | null {
  if (data === null || isBroken(mistakes) || data.at('/permissions') !== undefined) return null;
  if (BELOW.some((other) => other !== key && data.at(`/${other}`) !== undefined)) return null;
  const start = source.offsetAt(data.keySpan(pointer)) - 1;
  const end = endOfValue(source.text, source.offsetAt(data.valueSpan(pointer)));
  if (source.text[start] !== '"') return null;
  const edits = [
    { file: path, start, end: start, text: '"permissions": { ' },
    { file: path, start: end, end, text: ' }' },
  ];
  return { description: 'Put it below "permissions"', edits };
}

function isBroken(mistakes: ConfigFile['mistakes']): boolean {
  return mistakes.some(({ what }) => what === 'syntax' || what === 'duplicate-key');
}
