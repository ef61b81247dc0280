import { isFields } from '../../../call/fields.js';
import { data as rulesData } from '../../../generated/data.js';
import { nearestWord } from '../../../policy/nearest.js';
import { pointerTo } from '../../../policy/read/pointer.js';
import { shown } from '../../../policy/sentences.js';
import type { ConfigFile } from '../../files/files.js';
import { forConfigs, type LintRule, type Report } from '../../project/rule.js';

export const unknownSetting: LintRule = {
  id: 'settings/unknown-key',
  severity: 'warning',
  confidence: 'medium',
  persona: 'reviewer',
  docs: {
    what: 'A key of settings is one that the client does not read, and nearly one that it reads, or one that it reads at another place.',
    why: 'A client passes over a key that it does not know, so what was meant is not set: rules that deny nothing, a server that is not started.',
    bad: '{ "permissions": { "read": { "deny": ["Read(./.env)"] } } }\n',
    good: '{ "permissions": { "deny": ["Read(./.env)"] } }\n',
    fix: 'Move or correct it, unless a newer version of the client knows the key.',
  },
  check: forConfigs(check),
};

const CLIENTS: Readonly<Partial<Record<ConfigFile['config'], string>>> = {
  'claude-settings': 'Claude Code',
  'gemini-settings': 'Gemini CLI',
  'qwen-settings': 'Qwen Code',
  'codex-config': 'Codex',
};
/** Keys at the top of Claude Code's settings about which settings/misplaced-key reports, and keys of other files of its. */
const OTHERS: ReadonlySet<string> = new Set(
  'allow ask deny defaultMode additionalDirectories mcpServers __proto__ permission'.split(' '),
);
/** Places where every unknown key is named: what it would have limited is not limited. */
const STRICT = /^(?:permissions|sandbox(?:\..*)?|mcp_?servers\.\*|shell_environment_policy|sandbox_workspace_write)$/i;
/** At most this many keys of one file are compared. */
const MOST = 50;

type Places = ReadonlyMap<string, readonly string[]>;

let known: ReadonlyMap<string, Places> | null = null;

/** The known keys of each map, by its place; see rules/known-keys.yaml. */
function knownKeys(config: string): Places | undefined {
  known ??= new Map(
    Object.entries((rulesData('known-keys') as { readonly keys: Record<string, Record<string, string>> }).keys).map(
      ([name, places]) => [name, new Map(Object.entries(places).map(([place, keys]) => [place, keys.trim().split(/\s+/)]))],
    ),
  );
  return known.get(config);
}

function check(file: ConfigFile): readonly Report[] {
  const { config, data } = file;
  const places = knownKeys(config);
  const client = CLIENTS[config];
  if (places === undefined || client === undefined || !isFields(data?.root)) return [];
  const found: Report[] = [];
  const visit = (value: unknown, place: string, path: string, pointer: string): void => {
    if (found.length >= MOST) return;
    if (Array.isArray(value))
      for (const [at, one] of value.slice(0, MOST).entries()) visit(one, `${place}.[]`, path, pointerTo(pointer, at));
    if (!isFields(value)) return;
    const keys = places.get(place === '' ? '.' : place);
    for (const [key, inner] of Object.entries(value).slice(0, 500)) {
      const at = pointerTo(pointer, key);
      if (keys === undefined || keys.includes(key)) visit(inner, childOf(place, key, places), joined(path, key), at);
      else if (place !== '' || !OTHERS.has(key)) {
        const about = meant(key, inner, place, keys, places);
        if (about !== null)
          found.push({
            at: data.keySpan(at),
            message: `${client} reads no ${shown(joined(path, key))}${about.says}`,
            ...about.level,
          });
      }
    }
  };
  visit(data.root, '', '', '');
  return found;
}

function joined(path: string, key: string): string {
  return path === '' || path === '.' ? key : `${path}.${key}`;
}

function childOf(place: string, key: string, places: Places): string {
  const any = joined(place, '*');
  return [...places.keys()].some((one) => `${one}.`.startsWith(`${any}.`)) ? any : joined(place, key);
}

const fold = (name: string) => name.replace(/[^A-Za-z0-9]/g, '').toLowerCase();

/** What an unknown key seems to be meant for, to follow "… reads no key"; null if nothing tells. */
function meant(key: string, value: unknown, place: string, keys: readonly string[], places: Places) {
  const inner = isFields(value) ? Object.keys(value).slice(0, MOST) : [];
  const whole = inner.flatMap((one) => keys.filter((name) => fold(name) === fold(key + one)))[0];
  if (whole !== undefined) return { says: `; write ${shown(joined(place, whole))}.`, level: {} };
  const below = place === '' ? [] : inner.filter((one) => keys.includes(one));
  if (below.length > 0)
    return {
      says: `, so what is below it has no effect; ${below.map(shown).join(' and ')} belongs directly into ${shown(place)}.`,
      level: {},
    };
  const near = key.length > 3 && key.length < 48 ? nearestWord(key, keys) : null;
  // settings/misplaced-key reports lists of rules below a wrong name.
  if (near === 'permissions' || (near !== null && place === 'permissions')) return null;
  if (near !== null) return { says: `; did you mean ${shown(near)}?`, level: STRICT.test(place) ? {} : AUTHOR };
  // One word, such as `disabled`, may mean anything elsewhere.
  const [other, ...others] = !/[a-z](?:[A-Z]|_[a-z])/.test(key)
    ? []
    : [...places].filter(([one, names]) => one !== place && names.includes(key));
  if (other !== undefined && others.length === 0) {
    const [elsewhere] = other;
    return { says: ` here; it reads ${shown(joined(elsewhere, key))}.`, level: {} };
  }
  return STRICT.test(place) ? { says: '; it passes over it.', level: { severity: 'info' as const } } : null;
}

const AUTHOR = { severity: 'info', persona: 'author' } as const;
