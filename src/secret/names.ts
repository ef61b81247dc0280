/** Whether the name of a field, variable, option or header suggests that its value is secret. */

/** `maybe`: a name used for many things; its value is a secret only if it looks random. */
export type Secrecy = 'password' | 'secret' | 'maybe';

/** In order of how strongly they suggest a secret. */
const SECRECIES = ['password', 'secret', 'maybe'] as const;

/** Endings of names in lower case, without `-`, `_`, `.` and a final number. */
const ENDINGS: Readonly<Record<Secrecy, string>> = {
  password: 'password passwd passphrase passcode pwd sshpass',
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

/** All endings, each followed by a blank: a name whose last letters do not precede one suggests no secret. */
const ALL_ENDINGS = `${Object.values(ENDINGS).join(' ')} `;

/** The endings of all names that suggest a secret, apart from separators and a number after them. */
export const NAME_ENDINGS: readonly string[] = [
  'authorization',
  'cookie',
  ...Object.values(ENDINGS).flatMap((endings) => endings.split(' ')),
];

/** How strongly a name suggests a secret; null if it does not. */
export function secrecyOf(name: string): Secrecy | null {
  if (isHeader(name)) return 'secret';
  const bare = withoutNumber(name);
  const tail = bare.slice(-4).replace(/[-_.]/g, '').slice(-3).toLowerCase();
  if (!ALL_ENDINGS.includes(`${tail} `) || NO_SECRETS.has(name)) return null;
  if (isPassword(bare)) return 'password';
  if (/_auth$/i.test(bare)) return 'secret';
  const flat = bare.replace(/[-_.]/g, '').toLowerCase();
  return SECRECIES.find((secrecy) => ENDINGS[secrecy].split(' ').some((ending) => flat.endsWith(ending))) ?? null;
}

/** Whether the whole value of a header with this name is secret. */
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
