/** Secrets that only their command gives away: `mysql -psecret`, `curl -u user:secret`, and secrets that were encoded. */
import { isNoReference, type SecretSpan, shapedSpans, tokenSpans } from './secret-tokens.js';

/** A command, and an option of it with the secret as its last part. The gap between them is bounded. */
interface OptionForm {
  readonly mark: string;
  readonly pattern: RegExp;
}

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
  { mark: 'htpasswd', pattern: /\bhtpasswd\s{1,4}-\w{0,8}b\w{0,8}\s{1,4}\S{1,100}\s{1,4}\S{1,100}\s{1,4}["']?([^\s"']+)/g },
  { mark: 'chpasswd', pattern: /["']?\b[\w.-]{1,40}:([^\s:"'|]{1,200})["']?\s{0,4}\|\s{0,4}(?:sudo\s{1,4})?chpasswd/g },
  { mark: 'secret set', pattern: /\bsecret set\b[^\n;|&]{0,300}?\s(?:-b|--body)[\s=]{1,4}["']?([^\s"']+)/g },
];

/** The secrets that options of known commands carry. */
export function optionSpans(text: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  for (const { mark, pattern } of FORMS) {
    if (!text.includes(mark)) continue;
    for (const { index, 0: found, 1: value = '' } of text.matchAll(pattern)) {
      if (!isNoReference(value)) continue;
      const start = index + found.lastIndexOf(value);
      spans.push({ start, end: start + value.length, kind: 'password' });
    }
  }
  return spans;
}

const ENCODED = /[A-Za-z0-9+/_-]{24,}={0,2}/g;
const MOST_ENCODED = 64;

/** Runs of base64 that hold a token or a private key when decoded. Call it only for a text without line breaks inside runs. */
export function encodedSpans(text: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  let seen = 0;
  for (const { index, 0: run } of text.matchAll(ENCODED)) {
    seen += 1;
    if (seen > MOST_ENCODED) break;
    const decoded = Buffer.from(run, 'base64').toString('latin1');
    if (tokenSpans(decoded).length > 0 || shapedSpans(decoded).length > 0)
      spans.push({ start: index, end: index + run.length, kind: 'encoded-secret' });
  }
  return spans;
}
