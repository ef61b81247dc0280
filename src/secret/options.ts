/** Secrets that only their command gives away: `mysql -psecret`, `curl -u user:secret`, and secrets that were encoded. */
import { isNoReference, type SecretSpan, shapedSpans, tokenSpans } from './tokens.js';

/**
 * A command in lower case, and an option of it with the secret as its last part. The gap between them is bounded. A mark that many
 * lines hold has a second beside it: a pattern that is tried has to be compiled first.
 */
interface OptionForm {
  readonly mark: string;
  readonly also?: string;
  readonly pattern: RegExp;
}

/** A secret that is piped to where it is kept. */
const PIPED =
  /\b(?:echo|printf)\s{1,4}(?:-n\s{1,4})?["']?([^\s"'|]{3,200})["']?\s{0,4}\|[^|\n]{0,200}?(?:-password-stdin|-with-token|secrets? (?:set|put|add)|sudo\s-S)/g;

const FORMS: readonly OptionForm[] = [
  { mark: 'mysql', pattern: /\bmysql\w{0,12}\b[^\n;|&]{0,300}?\s-p["']?([^\s"']+)/g },
  { mark: 'mariadb', pattern: /\bmariadb(?:-\w{1,12})?\b[^\n;|&]{0,300}?\s-p["']?([^\s"']+)/g },
  { mark: 'sshpass', pattern: /\bsshpass\s{1,4}-p\s{0,4}["']?([^\s"']+)/g },
  { mark: 'login', pattern: /\blogin\b[^\n;|&]{0,300}?\s-p\s{1,4}["']?([^\s"']+)/g },
  { mark: 'curl', pattern: /\bcurl\b[^\n;|&]{0,600}?\s(?:-u|--user|--proxy-user|-U)[\s=]{0,4}["']?[^\s:"']{1,100}:([^\s"']+)/g },
  { mark: 'http', pattern: /\bhttps?\s[^\n;|&]{0,300}?(?:-a|--auth)[\s=]{1,4}["']?[^\s:"']{1,100}:([^\s"']+)/g },
  { mark: 'redis-cli', pattern: /\bredis-cli\b[^\n;|&]{0,300}?\s-a\s{1,4}["']?([^\s"']+)/g },
  { mark: 'mongo', pattern: /\bmongo\w{0,8}\b[^\n;|&]{0,300}?\s-p\s{1,4}["']?([^\s"']+)/g },
  { mark: 'ldap', pattern: /\bldap\w{1,10}\b[^\n;|&]{0,300}?\s-w\s{1,4}["']?([^\s"']+)/g },
  { mark: 'sqlcmd', pattern: /\bsqlcmd\b[^\n;|&]{0,300}?\s-P\s{0,4}["']?([^\s"']+)/g },
  { mark: 'zip', pattern: /\b(?:un)?zip\b[^\n;|&]{0,300}?\s-P\s{1,4}["']?([^\s"']+)/g },
  { mark: '7z', pattern: /\b7z[ar]?\b[^\n;|&]{0,300}?\s-p["']?([^\s"']+)/g },
  { mark: 'smbclient', pattern: /\bsmbclient\b[^\n;|&]{0,300}?\s-U\s{0,4}["']?[^\s%"']{1,100}%([^\s"']+)/g },
  { mark: 'pass:', pattern: /-pass(?:in|out)?\s{1,4}["']?pass:([^\s"']+)/g },
  { mark: 'openssl', pattern: /\bopenssl\b[^\n;|&]{0,300}?\s-(?:k|K)\s{1,4}["']?([^\s"']+)/g },
  {
    mark: 'base64',
    pattern: /\b(?:echo|printf)\s{1,4}(?:-n\s{1,4})?["']?[^\s:"'|]{1,100}:([^\s"'|]{1,200})["']?\s{0,4}\|\s{0,4}base64/g,
  },
  {
    mark: 'htpasswd',
    pattern:
      /\bhtpasswd(?=(?:\s{1,4}-\w{1,9}){0,6}\s{1,4}-\w{0,8}b)(?:\s{1,4}-\w{1,9}){1,6}\s{1,4}[^\s-]\S{0,100}\s{1,4}\S{1,100}\s{1,4}["']?([^\s"']+)/g,
  },
  { mark: 'htpasswd', pattern: /\bhtpasswd\s{1,4}-\w{0,6}n\w{0,6}\s{1,4}[^\s-]\S{0,100}\s{1,4}["']?([^\s"']+)/g },
  { mark: 'chpasswd', pattern: /["']?\b[\w.-]{1,40}:([^\s:"'|]{1,200})["']?\s{0,4}\|\s{0,4}(?:sudo\s{1,4})?chpasswd/g },
  { mark: 'password', pattern: /\bpassword\s{1,4}'([^'\n]{1,200})'/gi },
  { mark: 'identified', pattern: /\bidentified\s{1,4}(?:with\s{1,4}\S{1,40}\s{1,4})?by\s{1,4}'([^'\n]{1,200})'/gi },
  { mark: 'machine', pattern: /\blogin\s{1,4}\S{1,100}\s{1,4}password\s{1,4}(\S+)/g },
  { mark: 'curl', pattern: /\bcurl\b[^\n;|&]{0,600}?\s(?:-b|--cookie)[\s=]{0,4}["']?([^\s"'=]{1,100}=[^"'\n]{4,})/g },
  { mark: 'ssh-keygen', pattern: /\bssh-keygen\b[^\n;|&]{0,300}?\s-[NP]\s{0,4}["']?([^\s"']+)/g },
  { mark: '-pw', pattern: /\b(?:pscp|plink|psftp)\b[^\n;|&]{0,300}?\s-pw\s{1,4}["']?([^\s"']+)/g },
  { mark: 'auth', pattern: /\bauth\s?=\s?\(\s?["'][^"'\n]{0,100}["'],\s?["']([^"'\n]{1,200})/g },
  {
    mark: 'value',
    also: '=',
    pattern:
      /\b(?:key|name)\s?=\s?["'][\w.-]{0,60}(?:key|token|secret|password|pwd)["']\s{1,4}value\s?=\s?["']([^"'\n]{1,300})/gi,
  },
  { mark: '</', pattern: /<[\w.:-]{0,60}(?:key|token|secret|password|passphrase|pwd)>([^<>\n]{3,300})<\//gi },
  { mark: '<<<', pattern: /\bsecrets?\s(?:put|set|add|create)\b[^\n;|&]{0,200}?<<<\s{0,4}["']?([^\s"']+)/g },
  { mark: 'echo', also: '|', pattern: PIPED },
  { mark: 'printf', also: '|', pattern: PIPED },
  { mark: 'secret set', pattern: /\bsecret set\b[^\n;|&]{0,300}?\s(?:-b|--body)[\s=]{0,4}["']?([^\s"']+)/g },
];

/**
 * The secrets that options of known commands carry.
 * @param lower the text in lower case
 */
export function optionSpans(text: string, lower: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  for (const { mark, also, pattern } of FORMS) {
    if (!lower.includes(mark) || (also !== undefined && !lower.includes(also))) continue;
    for (const { index, 0: found, 1: value = '' } of text.matchAll(pattern)) {
      if (!isNoReference(value)) continue;
      const start = index + found.lastIndexOf(value);
      spans.push({ start, end: start + value.length, kind: 'password' });
    }
  }
  return spans;
}

const ENCODED = /[A-Za-z0-9+/_-]{24,}={0,2}/g;
const LONG_RUN = /[A-Za-z0-9+/_-]{24}/;
const MOST_ENCODED = 64;

/** Runs of base64 that hold a token or a private key when decoded. One without capital letters is a hash or a path. */
export function encodedSpans(text: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  if (!LONG_RUN.test(text)) return spans;
  let seen = 0;
  for (const { index, 0: run } of text.matchAll(ENCODED)) {
    seen += 1;
    if (seen > MOST_ENCODED) break;
    if (!/[A-Z]/.test(run) || !/[a-z]/.test(run)) continue;
    const decoded = Buffer.from(run, 'base64').toString('latin1');
    if (tokenSpans(decoded).length > 0 || shapedSpans(decoded, decoded.toLowerCase()).length > 0)
      spans.push({ start: index, end: index + run.length, kind: 'encoded-secret' });
  }
  return spans;
}
