/**
 * With POLICY_E2E_TRANSCRIPTS=FOLDER the transcripts of the sessions are kept there, without places of this machine and with long
 * texts cut: recordings for the tests of budgets (test/fixtures/transcripts).
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { type Client, folderOf, type Stage } from './client.js';

const LONGEST_TEXT = 240;
const LONGEST_LIST = 6;

export function keepTranscripts(client: Client, { home, model }: Stage, base: string): void {
  const folder = process.env.POLICY_E2E_TRANSCRIPTS;
  if (folder === undefined || client.transcripts === null) return;
  const from = join(home, client.transcripts);
  if (!existsSync(from)) return;
  const scrubbed = (text: string) =>
    text
      .replaceAll(home.replaceAll(/[^A-Za-z0-9]/g, '-'), '-home-me')
      .replaceAll(home, '/home/me')
      .replaceAll(base, '/tmp')
      .replaceAll(basename(base), 'tmp')
      .replaceAll(model, 'http://127.0.0.1');
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.jsonl?$/.test(entry.name)) continue;
    const file = join(entry.parentPath, entry.name);
    const lines = scrubbed(readFileSync(file, 'utf8')).trimEnd().split('\n');
    const to = join(folder, folderOf(client), scrubbed(relative(from, file)));
    mkdirSync(dirname(to), { recursive: true });
    const kept = file.endsWith('.jsonl') ? lines : [lines.join('\n')];
    writeFileSync(to, kept.map((line) => `${JSON.stringify(shortened(JSON.parse(line)))}\n`).join(''));
  }
}

function shortened(value: unknown): unknown {
  if (typeof value === 'string') return value.length > LONGEST_TEXT ? `${value.slice(0, 80)}…` : value;
  if (Array.isArray(value)) return (value.length > LONGEST_LIST ? value.slice(0, 3) : value).map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shortened(one)]));
}
