/** Secrets that only their command gives away: values of its options and operands, and text that it is fed. */
import type { Glance } from './glance.js';
import { secrecyOf } from './names.js';
import { innersOf, type Statement, statementsIn, type Word } from './statements.js';
import { isNoReference, type SecretSpan } from './tokens.js';

/**
 * Words of a command, behind a blank the words of which one follows somewhere, and behind the bar what is secret then:
 *   -p --value   the next word, or what is joined with `=`; of one letter also behind others (`-rP`)
 *   -p_          the rest of the word, for options whose value has to be joined
 *   -u: -U%      only the part of the value behind this sign
 *   =            the values of all operands NAME=VALUE
 *   @2           every operand from the second on
 *   <            text that it is fed: here-string, here-document, pipe of `echo`, process substitution
 *   <1           the same, where that is a single word: what has several is a statement
 *   ?-S          only with this option
 */
const TAKERS = `
mysql,mysqldump,mysqladmin,mysqlimport,mysqlshow,mysqlcheck,mysqlpump,mysqlsh,mysqlslap,mysqlbinlog | -p_ <1
mariadb,mariadb-dump,mariadb-admin,mariadb-import,mariadb-show,mariadb-check,mariadb-slap,mariadb-binlog | -p_ <1
mysqladmin password | @1
sshpass | -p -p_ <
psql,pg_dump,pg_restore,createuser,createdb | <1
mongo,mongosh,mongodump,mongorestore,mongoexport,mongoimport,mongostat,mongotop | -p -p_ <1
redis-cli,valkey-cli | -a
redis-cli,valkey-cli auth | @1
requirepass,masterauth | @1
sqlcmd,bcp,osql,isql,tsql | -P -P_ <1
cqlsh | -p
sqlplus | @1/
ldapsearch,ldapadd,ldapmodify,ldapdelete,ldapcompare,ldapmodrdn,ldapwhoami | -w -w_ <1
ldappasswd | -w -a -s <
smbclient,rpcclient,smbget,smbcacls,smbmap,net | -U% -U_% <1
snmpget,snmpgetnext,snmpwalk,snmpbulkget,snmpbulkwalk,snmpset,snmptable,snmptrap,snmpstatus,snmpdf | -c -A -X
ipmitool | -P
mosquitto_pub,mosquitto_sub | -P
login | -p -p_ <
az login | -p
vault login | @1 <
vault unseal | @1 <
cargo login | @1 <
bw login | @2
bw unlock | @1
curl | -u: -u_: --user: -U: --proxy-user: -b= -b_= --cookie= -E: --cert:
http,https,xh | -a: --auth:
lftp | -u,
etcdctl | --user:
zip,unzip,zipcloak | -P
7z,7za,7zr,7zz | -p_
rar,unrar | -p_ -hp_
openssl | -k -K -hmac -macopt:
openssl passwd | @1 <
keytool,jarsigner | -storepass -keypass -srcstorepass -deststorepass -srckeypass -destkeypass -new
ssh-keygen | -N -N_ -P -P_
pscp,plink,psftp | -pw
xfreerdp,xfreerdp3 | /p:_
hydra,nxc,crackmapexec,evil-winrm,veracrypt,twine | -p
useradd,usermod | -p
wpa_passphrase | @2
nmcli password,wifi-sec.psk,802-11-wireless-security.psk | @1
security | -w -p -P
chpasswd,passwd,smbpasswd,kpasswd,htpasswd,htdigest,su,kinit,cryptsetup,ssh-add,secret-tool,keyring,kubeseal,wg,mkpasswd | <
sudo | ?-S <
pass,gopass insert | <
mkpasswd | @1
rclone obscure | @1 <
ansible-vault encrypt_string | @1 <
rabbitmqctl add_user,change_password,authenticate_user | @2
ngrok authtoken,add-authtoken | @1
kubectl,oc patch | ?secret -p --patch
kubectl,oc create | ?secret --from-literal= <
secret,secrets set,put,add,create,import,update,sync | = @2 -b -b_ --body --value --data --secret-string <
secrets versions | <
secret:create,secrets:set,secret:set,functions:secrets:set | = @2 --value <
keyvault set,create,import | --value --password
secretsmanager create-secret,put-secret-value,update-secret | --secret-string --secret-binary
ssm put-parameter | --value
cognito-idp | --temporary-password
vault put,patch,write | = <
config:set,env:set,functions:config:set,setenv,set-env,env-set | =
netlify env:set | @2
dokku,heroku config:set | = <
variables,vars --set,set | --set= =
travis,convox env,encrypt | =
vercel,now env | ?add <
glab,gh variable | ?set --value -b --body
pulumi config | ?--secret @3
sops set | @3
sops | --set
op,bw,lpass signin,login,create,add | <
`;

/** Text is fed to them all day, and what they are called with are patterns and files. */
const READERS: ReadonlySet<string> = new Set(
  'grep egrep fgrep rg ag sed awk gawk jq yq cat bat head tail less sort uniq wc tr cut diff cmp tee echo printf git test [ base64 md5sum sha1sum sha256sum node python python3 ruby perl php'.split(
    ' ',
  ),
);
const SPEAKERS: ReadonlySet<string> = new Set(['echo', 'printf', 'yes']);

interface Taker {
  /** One of them has to follow; empty when nothing has to. */
  readonly next: readonly string[];
  readonly parts: readonly string[];
}

/** Whether a secret is fed to a command: all of the text, or the text when it is one word. */
type Fed = 'all' | 'word' | 'none';

/** Words within words within words are looked at so deep. */
const DEEPEST = 4;

let takers: ReadonlyMap<string, readonly Taker[]> | undefined;

function readTakers(): ReadonlyMap<string, readonly Taker[]> {
  const read = new Map<string, Taker[]>();
  for (const line of TAKERS.trim().split('\n')) {
    const [words = '', parts = ''] = line.split(' | ');
    const [names = '', next] = words.split(' ');
    for (const name of names.split(','))
      read.set(name, [...(read.get(name) ?? []), { next: next?.split(',') ?? [], parts: parts.split(' ') }]);
  }
  return read;
}

/**
 * The secrets that known commands are given.
 * @param lower the text in lower case
 */
export function takenSpans(text: string, lower: () => string, seen: Glance | null): SecretSpan[] {
  takers ??= readTakers();
  const spans: SecretSpan[] = [];
  let done = 0;
  for (const start of linesWith([...takers.keys(), '<<', 'echo', 'printf'], lower, seen)) {
    if (start < done) continue;
    done = endOfLine(text, start);
    look(text, statementsIn(text, start, done), 0, spans);
  }
  return spans;
}

/** Where the lines begin in which one of the marks stands. */
function linesWith(marks: readonly string[], lower: () => string, seen: Glance | null): readonly number[] {
  const starts = new Set<number>();
  for (const mark of marks) {
    if (seen?.mayHold(mark) === false) continue;
    for (let at = lower().indexOf(mark); at >= 0; ) {
      let start = lower().lastIndexOf('\n', at) + 1;
      while (start > 1 && lower()[start - 2] === '\\') start = lower().lastIndexOf('\n', start - 2) + 1;
      starts.add(start);
      const next = lower().indexOf('\n', at);
      at = next < 0 ? -1 : lower().indexOf(mark, next);
    }
  }
  return [...starts].sort((a, b) => a - b);
}

function endOfLine(text: string, start: number): number {
  let end = text.indexOf('\n', start);
  while (end > 0 && text[end - 1] === '\\') end = text.indexOf('\n', end + 1);
  return end < 0 ? text.length : end;
}

function look(text: string, statements: readonly Statement[], depth: number, spans: SecretSpan[]): void {
  const add = (word: Word) => addSecret(text, word, spans);
  for (const [index, statement] of statements.entries()) {
    const own = takeFrom(text, statement, add);
    const fed = own === 'none' ? passedOn(text, statement, depth) : own;
    if (fed !== 'none')
      for (const word of feedsOf(text, statements, index)) if (fed === 'all' || isOneWord(text, word)) add(word);
    for (const word of statement.words) {
      const inners = depth < DEEPEST ? innersOf(text, word) : [];
      for (const { start, end } of inners) look(text, statementsIn(text, start, end), depth + 1, spans);
    }
  }
}

/** What a command does with its input that stands in a word of it: `bash -c "sudo -S ls"`. */
function passedOn(text: string, { words }: Statement, depth: number): Fed {
  const isReader = READERS.has(programName(plainOf(text, words[0])));
  const inners = depth < DEEPEST && !isReader ? words.flatMap((word) => innersOf(text, word)) : [];
  const found = inners.flatMap(({ start, end }) => statementsIn(text, start, end));
  return found.some((statement) => takeFrom(text, statement, () => {}) === 'all') ? 'all' : 'none';
}

/** Adds the secrets among the words of a statement; tells whether what it is fed is one, too. */
function takeFrom(text: string, { words }: Statement, add: (word: Word) => void): Fed {
  let fed: Fed = namesSecret(text, words, add) ? 'all' : 'none';
  for (const [index, word] of words.entries())
    for (const { next, parts } of takers?.get(programOf(text, word)) ?? []) {
      const follows = next.length === 0 ? index : words.findIndex((one, at) => at > index && next.includes(plainOf(text, one)));
      const rest = words.slice(follows + 1);
      const needed = parts.find((part) => part.startsWith('?'))?.slice(1) ?? '';
      if (follows < 0 || !(needed === '' || rest.some((one) => isOptionWord(plainOf(text, one), needed)))) continue;
      for (const part of parts) takePart(text, rest, part, add);
      if (parts.includes('<')) fed = 'all';
      else if (parts.includes('<1') && fed === 'none') fed = 'word';
    }
  return READERS.has(programName(plainOf(text, words[0]))) ? 'none' : fed;
}

function takePart(text: string, rest: readonly Word[], part: string, add: (word: Word) => void): void {
  const isOperand = (word: Word) => !plainOf(text, word).startsWith('-');
  if (part === '=') for (const word of rest.filter(isOperand)) add(behind(text, word, '='));
  else if (part.startsWith('@')) {
    const sign = part.slice(2);
    for (const word of rest.filter(isOperand).slice(Number(part[1]) - 1)) add(behind(text, word, sign));
  } else if (/^[-/]/.test(part))
    for (const [index, word] of rest.entries()) {
      const value = optionValue(text, word, rest[index + 1], part);
      if (value !== null) add(value);
    }
}

/** The value that a word gives to an option of the table. */
function optionValue(text: string, word: Word, next: Word | undefined, part: string): Word | null {
  const [, option = '', joined, sign = ''] = /^(.+?)(_?)([:%=,]?)$/.exec(part) ?? [];
  const plain = plainOf(text, word);
  const quotes = /^\\?["']/.exec(text.slice(word.start, word.end))?.[0].length ?? 0;
  const valueAt = (offset: number) => behind(text, unquoted(text, { start: word.start + quotes + offset, end: word.end }), sign);
  if (joined === '_') return plain.startsWith(option) && plain.length > option.length ? valueAt(option.length) : null;
  if (plain.startsWith(`${option}=`)) return valueAt(option.length + 1);
  if (!isOptionWord(plain, option) || next === undefined || plainOf(text, next).startsWith('-')) return null;
  return behind(text, unquoted(text, next), sign);
}

/** `-P`, and of options with one letter `-rP` as well. */
function isOptionWord(plain: string, option: string): boolean {
  return plain === option || (/^-\w$/.test(option) && /^-[A-Za-z]{2,6}$/.test(plain) && plain.endsWith(option.slice(1)));
}

/**
 * Whether the program, its subcommand or an option that has no value yet is called as a secret is: `--password-stdin`, `read PASSWORD`.
 * Adds what is said in the values of such names: `TOKEN=$(echo …)`, `--key-file <(echo …)`.
 */
function namesSecret(text: string, words: readonly Word[], add: (word: Word) => void): boolean {
  const plains = words.map((word) => plainOf(text, word));
  let isFed = plains
    .filter((plain) => /^[A-Za-z][\w:-]*$/.test(plain))
    .slice(0, 3)
    .some(isStrong);
  for (const [index, word] of words.entries()) {
    const [, dashes, name = '', source, sign] = NAMED.exec(plains[index] ?? '') ?? [];
    if (sign === undefined || !(source === undefined ? isStrong(name) : secrecyOf(name) !== null)) continue;
    if (sign === '' && dashes === '') continue;
    const value = sign === '=' ? behind(text, word, '=') : words[index + 1];
    const plain = plainOf(text, value);
    if (value !== undefined && isSubstituted(text, value)) add(value);
    isFed ||= dashes !== '' && (source !== undefined || plain === '' || plain.startsWith('-') || STDIN.test(plain));
  }
  return isFed;
}

/** `NAME=`, `--name`, `--name=`, and whether it tells where the secret comes from. */
const NAMED = /^(-{0,2})([A-Za-z_][\w-]*?)(-(?:stdin|fd|file))?(=|$)/;
const STDIN = /^(?:@?-|stdin|fd:0|(?:file:|@)?\/dev\/stdin)$/;

function isStrong(name: string): boolean {
  return /^(?:password|secret)$/.test(secrecyOf(name) ?? '');
}

/** What a statement is fed, whatever way. */
function feedsOf(text: string, statements: readonly Statement[], index: number): Word[] {
  const statement = statements[index];
  if (statement === undefined) return [];
  const found = [
    ...statement.fed.map((word) => unquoted(text, word)),
    ...statement.words.flatMap((word) => substituted(text, word, 0)),
  ];
  let first = index;
  let isGroup = false;
  while (first > 0 && (isGroup || statements[first]?.piped === true)) {
    isGroup ||= statements[first]?.grouped === true || plainOf(text, statements[first - 1]?.words[0]) === '}';
    first -= 1;
    const before = statements[first];
    if (before !== undefined) found.push(...spoken(text, before, 0));
  }
  return found;
}

/** What a statement prints or passes on that stands in the text: words of `echo`, here-strings. */
function spoken(text: string, { words, fed }: Statement, depth: number): Word[] {
  const from = words.findIndex((word) => SPEAKERS.has(plainOf(text, word)));
  const said = from < 0 ? [] : words.slice(from + 1).filter((word) => !/^-[neE]+$/.test(plainOf(text, word)));
  return [...fed, ...said].flatMap((word) =>
    isSubstituted(text, word) ? substituted(text, word, depth) : [unquoted(text, word)],
  );
}

/** What is said in a process or command substitution of a word. */
function substituted(text: string, word: Word, depth: number): Word[] {
  if (depth >= DEEPEST || !isSubstituted(text, word)) return [];
  const statements = innersOf(text, word).flatMap(({ start, end }) => statementsIn(text, start, end));
  return statements.flatMap((statement) => [
    ...spoken(text, statement, depth + 1),
    ...statement.words.flatMap((one) => substituted(text, one, depth + 1)),
  ]);
}

function isSubstituted(text: string, { start, end }: Word): boolean {
  return /[$<]\(|`/.test(text.slice(start, end));
}

function addSecret(text: string, word: Word, spans: SecretSpan[]): void {
  const value = text.slice(word.start, word.end);
  if (isSubstituted(text, word)) for (const said of substituted(text, word, 0)) addSecret(text, said, spans);
  else if (value !== '' && isNoReference(value)) spans.push({ ...word, kind: 'password' });
}

/** The part of a value behind a sign; nothing when there is none. */
function behind(text: string, word: Word, sign: string): Word {
  if (sign === '') return unquoted(text, word);
  const at = text.slice(word.start, word.end).indexOf(sign);
  return at < 0 ? { start: word.end, end: word.end } : unquoted(text, { start: word.start + at + 1, end: word.end });
}

/** Without the quotes around it, also where only one of them belongs to it. */
function unquoted(text: string, { start, end }: Word): Word {
  const raw = text.slice(start, end);
  const open = /^\\?["']/.exec(raw)?.[0].length ?? 0;
  const close = /\\?["']$/.exec(raw.slice(open))?.[0].length ?? 0;
  return { start: start + open, end: end - close };
}

function isOneWord(text: string, { start, end }: Word): boolean {
  return /^[^\s\\;]+$/.test(text.slice(start, end).trim());
}

function plainOf(text: string, word: Word | undefined): string {
  return word === undefined ? '' : text.slice(word.start, word.end).replace(/["'\\]/g, '');
}

function programOf(text: string, word: Word): string {
  return word.end - word.start > 200 ? '' : programName(plainOf(text, word));
}

function programName(plain: string): string {
  return plain
    .replace(/^.*\//, '')
    .replace(/\.exe$/i, '')
    .toLowerCase();
}
