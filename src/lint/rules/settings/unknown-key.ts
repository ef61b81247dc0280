import { isFields } from '../../../call/fields.js';
import type { RunnerId } from '../../../call/tool-call.js';
import { traitsOf } from '../../../call/traits.js';
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

/** At most this many keys of one file are compared. */
const MOST = 50;

type Places = ReadonlyMap<string, readonly string[]>;

/**
 * src/runner/NAME/known-keys.yaml: the keys that the client reads by the place of their map (names joined with dots, `*` for any name,
 * `[]` for the entries of a list; a map that is not listed may have any keys), and the places where every unknown key is named, because
 * what it would have limited is not limited. Elsewhere a key is named only if it is nearly a known one, or known at another place:
 * newer versions know more.
 */
interface KnownKeys {
  readonly config: ConfigFile['config'];
  readonly keys: Readonly<Record<string, string>>;
  readonly strict: readonly string[];
  /** Keys at the top about which another rule reports, or which the client moves itself. */
  readonly told?: string;
  /** Keys that stood at the top, with their place of today. */
  readonly moved?: Readonly<Record<string, string>>;
}

interface Client {
  readonly title: string;
  readonly places: Places;
  readonly isStrict: (place: string) => boolean;
  readonly told: readonly string[];
  readonly moved: ReadonlyMap<string, string>;
}

const clients = new Map<RunnerId, Client>();

function clientOf({ runner, config }: ConfigFile): Client | null {
  const known = runner === null ? undefined : (rulesData(`known-keys/${runner}`) as KnownKeys | undefined);
  if (runner === null || known?.config !== config) return null;
  const before = clients.get(runner);
  if (before !== undefined) return before;
  const client = {
    title: traitsOf(runner).title,
    places: new Map(Object.entries(known.keys).map(([place, keys]) => [place, keys.split(' ')])),
    isStrict: (place: string) => known.strict.some((one) => `${place}.`.startsWith(`${one}.`)),
    told: known.told?.split(' ') ?? [],
    moved: new Map(Object.entries(known.moved ?? {})),
  };
  clients.set(runner, client);
  return client;
}

function check(file: ConfigFile): readonly Report[] {
  const { data } = file;
  const client = clientOf(file);
  if (client === null || !isFields(data?.root)) return [];
  const { title, places, told } = client;
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
      else if (place !== '' || !told.includes(key)) {
        const about = meant(key, inner, place, keys, client);
        if (about !== null)
          found.push({
            at: data.keySpan(at),
            message: `${title} reads no ${shown(joined(path, key))}${about.says}`,
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
function meant(key: string, value: unknown, place: string, keys: readonly string[], client: Client) {
  const { places, told } = client;
  const now = place === '' ? client.moved.get(key) : undefined;
  if (now !== undefined) return { says: ` here; it reads ${shown(now)}.`, level: {} };
  const isStrict = client.isStrict(place);
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
  if (told.includes('permission') && (near === 'permissions' || (near !== null && place === 'permissions'))) return null;
  if (near !== null) return { says: `; did you mean ${shown(near)}?`, level: isStrict ? {} : AUTHOR };
  // One word, such as `disabled`, may mean anything elsewhere.
  const [other, ...others] = !/[a-z](?:[A-Z]|_[a-z])/.test(key)
    ? []
    : [...places].filter(([one, names]) => one !== place && names.includes(key));
  if (other !== undefined && others.length === 0) {
    const [elsewhere] = other;
    return { says: ` here; it reads ${shown(joined(elsewhere, key))}.`, level: {} };
  }
  return isStrict ? { says: '; it passes over it.', level: { severity: 'info' as const } } : null;
}

const AUTHOR = { severity: 'info', persona: 'author' } as const;
