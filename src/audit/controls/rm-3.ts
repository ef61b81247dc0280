/** RM-3, scripts and workflows: does the project start a coding agent without its sandbox or its questions? */
import { resolve } from 'node:path';
import { folderEntries } from '../../disk/folder-entries.js';
import { isInside } from '../../disk/inside.js';
import { readText } from '../../disk/read.js';
import { realPath } from '../../disk/real-path.js';
import { statOf } from '../../disk/stat-of.js';
import { data } from '../../generated/data.js';
import { excerptOf } from '../model/digest.js';
import { type EvidenceDraft, type Examined, judged, notApplicable } from '../model/examined.js';
import { withoutSecrets } from '../model/shown-command.js';
import type { Control } from '../subject/control.js';
import { digested, lineEvidence, scanEvidence } from '../subject/evidence.js';
import type { AuditSubject } from '../subject/subject.js';

export const rm3: Control = {
  id: 'RM-3',
  async examine(subject) {
    return [{ claim: 'scripts', runner: null, found: scripts(subject) }];
  },
};

const { places, unmistakable, starts } = data('script-starts') as {
  readonly places: Readonly<Record<string, string>>;
  readonly unmistakable: readonly string[];
  readonly starts: readonly Readonly<Record<'clients' | 'flags', readonly string[]>>[];
};
const OPEN = new RegExp([...unmistakable, ...starts.map(openStart)].join('|'));
const MOST_FILES = 200;
const MOST_DEPTH = 3;
const MOST_FOUND = 20;

/** A coding agent with a flag behind it, in a command line or in a list of words; behind `mcp add` it is a flag of another program. */
function openStart({ clients, flags }: (typeof starts)[number]): string {
  const between = `(?:(?![\\s"',](?:mcp|extensions?|install|npx)[\\s"',])[^|;&]){0,400}`;
  return `(?<![\\w./-])(?:[\\w./@-]*/)?(?:${clients.join('|')})(?:@[\\w.-]+)?["']?(?=[,\\s])${between}[\\s"',](?:${flags.join('|')})(?![\\w-])`;
}

/** Returns the files in a folder with one of these names, and those in folders below it, relative to the project. */
function filesIn(project: string, folder: string, names: RegExp, depth = MOST_DEPTH): readonly string[] {
  return (folderEntries(resolve(project, folder)) ?? []).flatMap((entry) => {
    const file = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory())
      return depth === 0 || folder === '' || entry.name === 'node_modules' ? [] : filesIn(project, file, names, depth - 1);
    const real = names.test(entry.name) ? realPath(resolve(project, file)) : null;
    return real !== null && isInside(real, project) && statOf(real)?.isFile() === true ? [file] : [];
  });
}

function scripts({ project }: AuditSubject): Examined {
  const files = Object.entries(places).flatMap(([folder, names]) => filesIn(project, folder, new RegExp(names, 'i')));
  if (files.length === 0) return notApplicable('The project has no script, task or workflow in the usual places.');
  const read = files.slice(0, MOST_FILES).flatMap((file) => {
    const found = readText(resolve(project, file), { lenient: true });
    return found.ok ? [{ file, text: found.text }] : [];
  });
  const against = read.flatMap(({ file, text }) => linesOf(text).flatMap((line) => evidenceOf(project, file, line)));
  if (against.length > 0) return judged(against.slice(0, MOST_FOUND), '');
  const unread = files.find((file) => !read.some((one) => one.file === file));
  if (unread !== undefined)
    return judged([], `${unread} was not read: it is unreadable, larger than a megabyte, or beyond the file limit.`);
  const names = read.map(({ file }) => file);
  const listed = digested(project, names);
  const shows = `No such line is in ${listed.length === 1 ? '1 file' : `${listed.length} files`}.`;
  const lookedFor = 'lines that name a way to start a coding agent without its sandbox or its questions';
  return judged([scanEvidence(true, shows, lookedFor, listed)], '');
}

const NAMED = 'This line names a way to start a coding agent without its sandbox or its questions.';

interface Line {
  readonly number: number;
  readonly text: string;
}

/** Returns commands with the lines that continue them, without comments. */
function linesOf(text: string): readonly Line[] {
  const lines: Line[] = [];
  let open: Line | null = null;
  for (const [at, part] of text.split('\n').entries()) {
    const joined: Line = open === null ? { number: at + 1, text: part } : { ...open, text: `${open.text} ${part.trim()}` };
    open = /[\\`^]\s*$/.test(part) ? { ...joined, text: joined.text.replace(/[\\`^]\s*$/, '') } : null;
    if (open === null && !/^\s*(?:#|\/\/|REM\b)/i.test(joined.text)) lines.push(joined);
  }
  return open === null ? lines : [...lines, open];
}

function evidenceOf(project: string, file: string, { number, text }: Line): readonly EvidenceDraft[] {
  if (!OPEN.test(text)) return [];
  const excerpt = excerptOf(withoutSecrets(text.trim()));
  return lineEvidence(project, { file, line: number }, NAMED, {
    excerpt,
  });
}
