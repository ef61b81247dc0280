/** Git's configuration syntax, read character by character as git's own parser does (config.c of git 2.39). */
import { FileMemory } from '../memory.js';
import { readText } from '../read.js';

export interface ConfigEntry {
  /** Section and variable in lower case, a quoted subsection as written. */
  readonly key: string;
  readonly value: string;
  readonly file: string;
  /** Line of the variable's name, from 1. */
  readonly line: number;
}

export type ConfigFile =
  | { readonly ok: true; readonly entries: readonly ConfigEntry[] }
  | { readonly ok: false; readonly problem: string; readonly line: number };

const MAX_CONFIG_BYTES = 256 * 1024;
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['t', '\t'],
  ['b', '\b'],
  ['n', '\n'],
  ['"', '"'],
  ['\\', '\\'],
]);

/** Syntax that git's parser or this one does not accept: then nothing about the file is proven. */
class Unclear extends Error {}

/** Reads a configuration file; a missing one is empty; for one that cannot be read or parsed, the result has the problem with its line. */
export function readConfig(file: string): ConfigFile {
  return memory.of(file, () => parseConfig(file));
}

const memory = new FileMemory<ConfigFile>();

function parseConfig(file: string): ConfigFile {
  const text = readText(file, { limit: MAX_CONFIG_BYTES });
  if (!text.ok)
    return text.code === 'missing' ? { ok: true, entries: [] } : { ok: false, problem: `config that ${text.message}`, line: 1 };
  const parser = new ConfigParser(text.text, file);
  try {
    return { ok: true, entries: parser.entries() };
  } catch (error) {
    if (!(error instanceof Unclear)) throw error;
    return { ok: false, problem: 'config that cannot be read', line: parser.line };
  }
}

class ConfigParser {
  line = 1;
  private at = 0;
  private readonly text: string;
  private readonly file: string;

  constructor(text: string, file: string) {
    this.text = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
    this.file = file;
  }

  entries(): ConfigEntry[] {
    if (this.text.includes('\0')) throw new Unclear();
    const entries: ConfigEntry[] = [];
    let section = '';
    while (this.at < this.text.length) {
      const character = this.next();
      if (isSpace(character)) continue;
      if (character === '#' || character === ';') this.skipLine();
      else if (character === '[') section = this.section();
      else entries.push(this.variable(section, character));
    }
    return entries;
  }

  /** Returns the next character; the end of the text is read as a line end, as in git. */
  private next(): string {
    const character = this.text[this.at] ?? '\n';
    this.at += 1;
    if (character === '\n' && this.at <= this.text.length) this.line += 1;
    return character;
  }

  /** A comment ends with its line: a backslash does not continue it. */
  private skipLine(): void {
    while (this.next() !== '\n');
  }

  /** Parses `[name]`, `[name.sub]` or `[name "sub"]`, after its opening bracket. */
  private section(): string {
    let name = '';
    for (;;) {
      const character = this.next();
      if (character === ']') return name;
      if (isSpace(character)) return `${name}.${this.subsection(character)}`;
      if (!isKeyCharacter(character) && character !== '.') throw new Unclear();
      name += character.toLowerCase();
    }
  }

  private subsection(first: string): string {
    let character = first;
    while (isSpace(character)) {
      if (character === '\n') throw new Unclear();
      character = this.next();
    }
    if (character !== '"') throw new Unclear();
    let name = '';
    for (character = this.next(); character !== '"'; character = this.next()) {
      const plain = character === '\\' ? this.next() : character;
      if (plain === '\n') throw new Unclear();
      name += plain;
    }
    if (this.next() !== ']') throw new Unclear();
    return name;
  }

  private variable(section: string, first: string): ConfigEntry {
    if (section === '' || !isLetter(first.charCodeAt(0))) throw new Unclear();
    const line = this.line;
    let name = first;
    let character = this.next();
    for (; isKeyCharacter(character); character = this.next()) name += character;
    while (character === ' ' || character === '\t') character = this.next();
    if (character !== '\n' && character !== '=') throw new Unclear();
    const value = character === '\n' ? 'true' : this.value();
    return { key: `${section}.${name.toLowerCase()}`, value, file: this.file, line };
  }

  /** Parses a value up to the end of its line; only a backslash that is not itself escaped continues on the next line. */
  private value(): string {
    let value = '';
    let kept = 0;
    let quoted = false;
    for (let character = this.next(); character !== '\n'; character = this.next()) {
      if (!quoted && isSpace(character)) {
        if (value !== '') value += character;
        continue;
      }
      if (!quoted && (character === '#' || character === ';')) {
        this.skipLine();
        return value.slice(0, kept);
      }
      if (character === '"') quoted = !quoted;
      else value += character === '\\' ? this.escaped() : character;
      kept = value.length;
    }
    if (quoted) throw new Unclear();
    return value.slice(0, kept);
  }

  private escaped(): string {
    const character = this.next();
    if (character === '\n') return '';
    const plain = ESCAPES.get(character);
    if (plain === undefined) throw new Unclear();
    return plain;
  }
}

function isSpace(character: string): boolean {
  return character === ' ' || character === '\t' || character === '\n' || character === '\r';
}

function isKeyCharacter(character: string): boolean {
  const code = character.charCodeAt(0);
  return isLetter(code) || (code >= 48 && code <= 57) || character === '-';
}

function isLetter(code: number): boolean {
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}
