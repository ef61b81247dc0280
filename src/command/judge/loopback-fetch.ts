/** Whether a call that fetches URLs only asks services of this machine and shows their answers (grammar member `loopback`). */

import type { Evaluation, PlacedValue } from '../grammar/evaluation.js';
import type { GrammarIssue } from '../model/command.js';

/**
 * An address on this machine and nothing else: no user name before the host, no other notation of the number, no longer host
 * name (`localhost.example.com`). A slash or the end of the word follows the host and its port. No list or range, which curl
 * would expand.
 */
const ADDRESS = /^(?:https?:\/\/)?(?:localhost|127\.0\.0\.1|\[::1\])(?::(\d{1,5}))?(?:(\/[\w.~:/?#@!$&'()*+,;=%-]*))?$/;

/**
 * Ports of services on this machine that lend their rights to every caller: Docker, its models, Podman, etcd, Caddy, Consul,
 * Nomad, Kubernetes (its API, proxy and nodes), ECS, Vault, Chrome and Node.
 */
const POWERFUL_PORTS: ReadonlySet<number> = new Set([
  1338, 2019, 2375, 2376, 2377, 2379, 2380, 4194, 4243, 4646, 5985, 6443, 8001, 8200, 8201, 8250, 8500, 8501, 9222, 9229, 10248,
  10249, 10250, 10255, 10256, 10257, 10259, 12434, 16443, 51678, 51679,
]);

/** A certain host before the first part that the shell may expand into file names: every expansion begins with this host. */
const CERTAIN_START = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?\//;

/**
 * Paths at which a file server may return more than its pages: a hidden file or directory (`/.env`, `/.git/config`) in any
 * notation, and a path out of its directory (`..`, or `/@fs/` of Vite, which serves every file of the machine).
 */
const HIDDEN = /[/=](?:\.|%2e|%252e|@fs\b)(?!well-known\/)|%2f|%5c|%25|%40/i;

/** Names of key and credential files, and of system folders that contain secrets, anywhere in an address. */
const KEPT =
  /id_(?:rsa|dsa|ecdsa|ed25519)|\.(?:pem|key|p12|pfx|kdbx|jks|keystore|tfstate)\b|credentials|shadow\b|\/etc\/|\/proc\/|\/root\//i;

/** Percent-encoded characters that never need encoding, such as letters and digits: an address with them disguises its path. */
const DISGUISED = /%(?:2[de]|3\d|4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9ae])/i;

/**
 * Headers about the form of the answer and the identity of the caller. Excluded are `Host`, which selects another server behind
 * the same address, and headers that override the method.
 */
const HEADER =
  /^(?:accept(?:-[a-z]+)?|authorization|cache-control|connection|content-type|if-(?:match|modified-since|none-match|range|unmodified-since)|last-event-id|origin|pragma|referer|sec-websocket-(?:key|version|protocol)|upgrade|user-agent|x-api-key|x-correlation-id|x-request-id|x-requested-with) *:[\t -~]*$/i;

/**
 * Returns `shown` if the call only asks this machine: every option of the call is one of the table's `loopback`, every address
 * is on this machine, and every issue is excused (such as the rating of the command itself). Returns `kept` under the same
 * conditions if the answer goes to a file, and null for every other call.
 *
 * According to HTTP, a GET only reads. What a service of this machine does with one is the service's own affair, even if a
 * database or a container engine listens on an unusual port. The user's own configuration of the program (`~/.curlrc`, a proxy
 * in the environment) applies as usual; a line that sets either asks for that reason.
 */
export function loopbackFetch(judgement: Evaluation): 'shown' | 'kept' | null {
  const { table, issues, given, values, operands } = judgement;
  const { loopback } = table;
  const open = loopback.length === 0 ? [] : issues.filter((issue) => !isExcused(judgement, issue));
  if (loopback.length === 0 || !open.every(({ code }) => code === `${table.code}/to-file`)) return null;
  if (!given.every(({ rule }) => loopback.some((name) => table.options.get(name) === rule))) return null;
  if (!values.every((value) => isPermittedValue(value))) return null;
  if (operands.length === 0 || !operands.every(({ word }) => isOwnAddress(word.value, word.glob ? word.literalPrefix : null)))
    return null;
  return open.length === 0 ? 'shown' : 'kept';
}

/** Excuses the command's own rating, and a shell pattern due to an unquoted `?` in an address: all matches share the host. */
function isExcused({ table, operands }: Evaluation, { code, word }: GrammarIssue): boolean {
  if (word === 0) return code === table.code;
  return code === 'word/dynamic' && operands.some((operand) => operand.index === word && operand.word.glob);
}

/** Whether a value is certain, and permitted for its option. */
function isPermittedValue({ rule, word, option }: PlacedValue): boolean {
  // Operands are addresses, and are checked as such.
  if (option === null) return true;
  if (word.value === null || word.glob || word.tilde || word.data !== undefined || word.names !== undefined) return false;
  if (option === '-H' || option === '--header') return HEADER.test(word.value);
  return rule.kind !== 'url' || isOwnAddress(word.value, null);
}

/** @param start the certain text at the start of a pattern; null for a word that is not a pattern */
function isOwnAddress(value: string | null, start: string | null): boolean {
  if (value === null || !ADDRESS.test(value) || HIDDEN.test(value) || KEPT.test(value) || DISGUISED.test(value)) return false;
  if (POWERFUL_PORTS.has(Number(ADDRESS.exec(value)?.[1]))) return false;
  return start === null || (CERTAIN_START.test(start) && !value.includes('*'));
}
