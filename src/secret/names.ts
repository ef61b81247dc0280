/** What the name of a field, variable, option or header promises of its value. */

/** `maybe`: the name of many things; its value is a secret only when it looks random. */
export type Secrecy = 'password' | 'secret' | 'maybe';

/** Endings of names in lower case, without `-`, `_`, `.` and a number at the end; in order of what they promise. */
const ENDINGS: Readonly<Record<Secrecy, string>> = {
  password: 'password passwd passphrase passcode pwd',
  secret:
    'secret token credential credentials bearer jwt mnemonic seedphrase connectionstring keybase authpass authdata ' +
    'apikey accesskey secretkey privatekey authkey accountkey encryptionkey encryptkey signingkey masterkey licensekey deploykey ' +
    'storagekey appkey clientkey servicekey adminkey sessionkey webhookkey jwtkey hmackey consumerkey subscriptionkey registrationkey',
  maybe: 'key auth login pass cred creds sig signature salt pat sas idrsa dsn',
};
const HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'x-authorization',
  'cookie',
  'cookie2',
  'set-cookie',
]);
/** The shell's own working directories. */
const NO_SECRETS: ReadonlySet<string> = new Set(['PWD', 'OLDPWD']);

type Ending = { readonly ending: string; readonly secrecy: Secrecy };

/** Endings by their last three characters; made ready by the first name. */
let byTail: ReadonlyMap<string, readonly Ending[]> | null = null;

function endingsByTail(): Map<string, Ending[]> {
  const map = new Map<string, Ending[]>();
  for (const secrecy of ['password', 'secret', 'maybe'] as const)
    for (const ending of ENDINGS[secrecy].split(' ')) {
      const tail = ending.slice(-3);
      const known = map.get(tail);
      if (known === undefined) map.set(tail, [{ ending, secrecy }]);
      else known.push({ ending, secrecy });
    }
  return map;
}

/** Null when the name promises nothing secret. */
export function secrecyOf(name: string): Secrecy | null {
  byTail ??= endingsByTail();
  const bare = withoutNumber(name);
  const candidates = byTail.get(bare.slice(-4).replace(/[-_.]/g, '').slice(-3).toLowerCase());
  if (isHeader(name)) return 'secret';
  if (candidates === undefined || NO_SECRETS.has(name)) return null;
  if (isPassword(bare)) return 'password';
  if (/_auth$/i.test(bare)) return 'secret';
  const flat = bare.replace(/[-_.]/g, '').toLowerCase();
  return candidates.find(({ ending }) => flat.endsWith(ending))?.secrecy ?? null;
}

/** Whether all of the value of a header of this name is secret. */
export function isHeader(name: string): boolean {
  return HEADERS.has(name.toLowerCase());
}

/** `PASSWORD_2` → `PASSWORD` */
function withoutNumber(name: string): string {
  let end = name.length;
  while (end > 0 && end > name.length - 4 && '0123456789'.includes(name[end - 1] ?? '')) end -= 1;
  if (end < name.length && '-_.'.includes(name[end - 1] ?? '')) end -= 1;
  return name.slice(0, end);
}

/** `pass`, `DB_PASS`, `dbPass`, but not `bypass` and `compass`. */
function isPassword(name: string): boolean {
  return /(?:^|[-_.])pass$/i.test(name) || /[a-z]Pass$/.test(name);
}
