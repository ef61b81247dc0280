/**
 * Signed notes (c2sp.org/signed-note) with ed25519 keys in the text form of Go's golang.org/x/mod/sumdb/note, so that its tools
 * read our keys and check our signatures.
 */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

/** Identifies ed25519 in keys. */
const ED25519 = 1;
const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
/** The PKCS #8 and SPKI prefixes of the 32 bytes of an ed25519 key (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');
/** Maximum length of a note; ours are shorter. */
const LONGEST_NOTE = 65_536;
const MOST_SIGNATURES = 16;

/** Checks the signatures of one key. */
export interface Verifier {
  readonly name: string;
  /** `NAME+HASH+KEY`, the form in which it is passed on. */
  readonly text: string;
  readonly key: KeyObject;
  readonly id: Buffer;
}

export interface Signer {
  readonly verifier: Verifier;
  readonly key: KeyObject;
}

/**
 * Returns the text of a new signing key: `PRIVATE+KEY+NAME+HASH+SEED`.
 * @param seed 32 random bytes
 */
export function signerText(name: string, seed: Uint8Array): string {
  const { id } = verifierOf(name, publicBytes(privateKey(seed)));
  return `PRIVATE+KEY+${name}+${id.toString('hex')}+${keyBytes(seed).toString('base64')}`;
}

/** Returns the key in the text of signerText; null if it is invalid. */
export function parseSigner(text: string): Signer | null {
  const [, name = '', hash, encoded = ''] = /^PRIVATE\+KEY\+([^+\s]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+=*)\n?$/.exec(text) ?? [];
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.length !== 1 + KEY_BYTES || bytes[0] !== ED25519) return null;
  const key = privateKey(bytes.subarray(1));
  const verifier = verifierOf(name, publicBytes(key));
  return verifier.id.toString('hex') === hash ? { verifier, key } : null;
}

/** Returns the verifier in a `NAME+HASH+KEY`; null if it is invalid. */
export function parseVerifier(text: string): Verifier | null {
  const [, name = '', hash, encoded = ''] = /^([^+\s]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+=*)\n?$/.exec(text) ?? [];
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.length !== 1 + KEY_BYTES || bytes[0] !== ED25519) return null;
  const verifier = verifierOf(name, bytes.subarray(1));
  return verifier.id.toString('hex') === hash ? verifier : null;
}

/** Returns the note of a text that ends in a line break. */
export function signNote(text: string, { verifier, key }: Signer): string {
  const signature = Buffer.concat([verifier.id, sign(null, Buffer.from(text), key)]);
  return `${text}\n— ${verifier.name} ${signature.toString('base64')}\n`;
}

/** Returns the text of a note that `verifier` signed; null if it is not a note or has no valid signature of that key. */
export function openNote(note: string, verifier: Verifier): string | null {
  const split = note.lastIndexOf('\n\n');
  if (split < 0 || note.length > LONGEST_NOTE || !note.endsWith('\n')) return null;
  const text = note.slice(0, split + 1);
  const lines = note.slice(split + 2, -1).split('\n');
  if (lines.length > MOST_SIGNATURES) return null;
  return lines.some((line) => isSignature(line, text, verifier)) ? text : null;
}

function isSignature(line: string, text: string, { name, id, key }: Verifier): boolean {
  const prefix = `— ${name} `;
  if (!line.startsWith(prefix) || !/^[A-Za-z0-9+/]+=*$/.test(line.slice(prefix.length))) return false;
  const bytes = Buffer.from(line.slice(prefix.length), 'base64');
  if (bytes.length !== 4 + SIGNATURE_BYTES || !bytes.subarray(0, 4).equals(id)) return false;
  return verify(null, Buffer.from(text), key, bytes.subarray(4));
}

function verifierOf(name: string, bytes: Uint8Array): Verifier {
  const id = createHash('sha256').update(`${name}\n`).update(keyBytes(bytes)).digest().subarray(0, 4);
  const key = createPublicKey({ key: Buffer.concat([SPKI, bytes]), format: 'der', type: 'spki' });
  return { name, id, key, text: `${name}+${id.toString('hex')}+${keyBytes(bytes).toString('base64')}` };
}

function keyBytes(bytes: Uint8Array): Buffer {
  return Buffer.concat([Uint8Array.of(ED25519), bytes]);
}

function privateKey(seed: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
}

function publicBytes(key: KeyObject): Buffer {
  return createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(SPKI.length);
}
