/** Whether the value of a name that suggests a secret is itself a secret. */
import type { Secrecy } from './names.js';
import { isNoReference } from './tokens.js';

/** Whether `value`, found under a name of that secrecy, is a secret. */
export function isSecretValue(value: string, secrecy: Secrecy): boolean {
  if (value === '' || !isNoReference(value) || PLAIN.test(value)) return false;
  if (secrecy === 'maybe') return looksRandom(value);
  if (isPath(value)) return false;
  if (secrecy === 'password') return value.length >= 3;
  return value.length >= 6 && !/^\d{1,9}$/.test(value);
}

/** Words used in place of a secret: types, switches, descriptions of how to provide it. */
const PLAIN =
  /^(?:true|false|null|none|nil|undefined|yes|no|on|off|auto|string|str|number|bool|boolean|required|optional|always|never|prompt|stdin|default|enabled|disabled|any|unknown|env|file|store|cache|osxkeychain|libsecret|manager|-|(?:id|type|src|source|env|target)=.*|(?:env|file):\w.*)[,;)\]]?$/is;

/** `/run/secrets/db`, `./token.txt`, `@body.json`: the location of a secret is not the secret. Base64 may also begin with a slash. */
function isPath(value: string): boolean {
  if (!/^(?:@|~\/|\.{1,2}\/|\/|[A-Za-z]:\\)[\w.@ /\\-]{0,200}$/.test(value)) return false;
  return /(?:^|[/\\])[a-z]{3,}(?:[/\\.]|$)/.test(value) || !looksRandom(value.replace(/[/\\]/g, ''));
}

/** At least 16 characters of a token's alphabet that no person would invent: digits among letters, few repetitions. */
export function looksRandom(value: string): boolean {
  if (value.length < 16 || !/^[\w+/=.~%-]+$/.test(value) || !/\d/.test(value) || !/[A-Za-z]/.test(value)) return false;
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let entropy = 0;
  for (const count of counts.values()) entropy -= (count / value.length) * Math.log2(count / value.length);
  return entropy >= (/^[0-9a-fA-F]+$/.test(value) ? 2.8 : 3.2) && !/[a-z]{4,}[-_./][a-z]{3,}/.test(value);
}
