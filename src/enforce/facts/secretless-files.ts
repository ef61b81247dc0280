/** Files whose names suggest a secret, and whose content shows that they contain none. */
import { posix } from 'node:path';
import { canExecute } from '../../command/model/assignments.js';
import { readText } from '../../disk/read.js';
import { isHarmlessNpmrc } from './npm-settings.js';

const MAX_BYTES = 64 * 1024;

/** True only if every line is known to be harmless. Never follows a link. */
export function holdsNoSecret(file: string): boolean {
  const name = posix.basename(file);
  if (name === '.npmrc') return isHarmlessNpmrc(file);
  const showsNone = CHOOSES.test(file)
    ? isPlainChoice
    : name === '.envrc'
      ? isPlainEnvrc
      : /\.(?:pem|crt|cer)$/i.test(name)
        ? isPublicPem
        : null;
  if (showsNone === null) return false;
  const read = readText(file, { limit: MAX_BYTES, follow: false });
  // Three characters are no credential.
  return read.ok && (showsNone(read.text) || (read.text.trim().length <= 3 && /^\.envrc$|public/i.test(name)));
}

/** Files by which version managers choose the program that a name starts. */
const CHOOSES = /\/(?:\.tool-versions|\.?mise(?:\.local)?\.toml|\.nvmrc|\.(?:node|python|ruby|go|java|terraform)-version)$/;

/** A comment, or names of tools with plain versions: no folder, no address, no variable, no command. */
const CHOICE = /^(?:#.*|\[tools\]|[a-z0-9][\w.-]* *= *"\w[\w.+-]*"|\w[\w.+-]*(?:[ \t]+\w[\w.+-]*)*)?$/;

/** Whether a file only chooses versions. Its tasks run only on request, and most variables start no program. */
function isPlainChoice(text: string): boolean {
  let table = '';
  return text.split(/\r?\n/).every((line) => {
    const trimmed = line.trim();
    if (trimmed.startsWith('[')) table = /^\[(tasks\.[\w:."-]+|env)\]$/.exec(trimmed)?.[1] ?? '';
    if (table.startsWith('tasks.') || trimmed === '[env]') return true;
    const variable = table === 'env' ? /^([A-Z][A-Z0-9_]*) *= *(?:"[\w.:/ -]*"|\d+|true|false)$/.exec(trimmed)?.[1] : undefined;
    return variable === undefined ? CHOICE.test(trimmed) && (table !== 'env' || !trimmed.includes('=')) : !canExecute(variable);
  });
}

const PUBLIC = /-----BEGIN ((?:RSA |EC |TRUSTED )?PUBLIC KEY|CERTIFICATE)-----[A-Za-z0-9+/=\s]+-----END \1-----/g;

/** Whether the text consists only of public keys and certificates. */
function isPublicPem(text: string): boolean {
  return text.includes('-----BEGIN ') && text.replace(PUBLIC, '').trim() === '';
}

const ENVRC_LINE =
  /^(?:use (?:flake|nix|asdf|mise)(?: [.#\w/-]{1,40})?|source_up|layout (?:go|node|python3?|ruby|poetry|pipenv)|(?:PATH_add|watch_file|dotenv_if_exists) [\w./-]{1,60}|export [A-Z_]{1,40}=(?:true|false|on|off|[0-9]{1,5}|\.\/[\w./-]{0,40}))$/;

/** Whether an `.envrc` only sets up tools and short settings for direnv; a comment must contain nothing that looks like a credential. */
function isPlainEnvrc(text: string): boolean {
  return text.split('\n').every((line) => {
    const trimmed = line.trim();
    if (trimmed.startsWith('#')) return /^#[A-Za-z ,.()-]*$/.test(trimmed) && !/auth|token|pass|pw|secret|key/i.test(trimmed);
    return trimmed === '' || ENVRC_LINE.test(trimmed);
  });
}
