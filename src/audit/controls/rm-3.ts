/** RM-3, scripts and workflows: does the project start a coding agent without its sandbox or its questions? */
import { resolve } from 'node:path';
import { namesIn } from '../../disk/folder-entries.js';
import { isInside } from '../../disk/inside.js';
import { readText } from '../../disk/read.js';
import { realPath } from '../../disk/real-path.js';
import { excerptOf, placeIn } from '../model/digest.js';
import { type EvidenceDraft, type Examined, judged, notApplicable } from '../model/examined.js';
import { withoutSecrets } from '../model/shown-command.js';
import type { Control } from '../subject/control.js';
import type { AuditSubject } from '../subject/subject.js';

export const rm3: Control = {
  id: 'RM-3',
  async examine(subject) {
    return [{ claim: 'scripts', runner: null, found: scripts(subject) }];
  },
};

/** The folders of a project in which such files usually are, with the names that are read there. */
const PLACES: readonly (readonly [folder: string, names: RegExp])[] = [
  [
    '',
    /^(?:package\.json|(?:GNU)?makefile|justfile|taskfile\.ya?ml|procfile|(?:docker|container)file.*|(?:docker-)?compose.*\.ya?ml|\.gitlab-ci\.ya?ml|\.envrc|mise\.toml|pyproject\.toml|tox\.ini|.*\.(?:sh|bash|zsh|fish|ps1|cmd|bat))$/i,
  ],
  ['.devcontainer', /./],
  ['.vscode', /^(?:tasks|launch|settings)\.json$/],
  ['.github/workflows', /\.ya?ml$/],
  ['.circleci', /\.ya?ml$/],
  ['.husky', /./],
  ['scripts', /./],
  ['bin', /./],
  ['tools', /./],
];
const MOST_FILES = 200;
const MOST_FOUND = 20;

/** Flags and values that nothing else has. */
const UNMISTAKABLE =
  /(?<![\w-])--(?:allow-)?dangerously-[\w-]+|(?<![\w-])danger-full-access(?![\w-])|(?<![\w-])bypassPermissions(?!\w)/;
/** A coding agent, and behind it a flag that means something else to other programs. */
const OF_CLIENT = new RegExp(
  `(?<![\\w./-])(?:[\\w./@-]*/)?(?:codex|claude|claude-code|gemini|gemini-cli|qwen|qwen-code|copilot|cursor-agent)(?:@[\\w.-]+)?["']?[,\\s](?:[^|;&]*[\\s"',])?(?:${[
    '--yolo',
    '-y',
    '--approval-mode[=\\s"\',]+yolo',
    '--(?:no-sandbox|allow-all(?:-tools)?|force)',
    '--sandbox[=\\s"\',]+(?:false|none|off)',
    '(?:-a|--ask-for-approval)[=\\s"\',]+never',
    '-c\\s+\\S*approval_policy\\S*never',
  ].join('|')})(?![\\w-])`,
);

function scripts({ project }: AuditSubject): Examined {
  const files = PLACES.flatMap(([folder, names]) =>
    namesIn(resolve(project, folder))
      .filter((name) => names.test(name))
      .map((name) => (folder === '' ? name : `${folder}/${name}`)),
  ).filter((file) => isInside(realPath(resolve(project, file)) ?? '', project));
  const read = files.slice(0, MOST_FILES).flatMap((file) => {
    const found = readText(resolve(project, file));
    return found.ok ? [{ file, text: found.text }] : [];
  });
  if (read.length === 0) return notApplicable('The project has no script, task or workflow in the places that are read.');
  const against = read.flatMap(({ file, text }) => linesOf(text).flatMap((line) => evidenceOf(project, file, line)));
  if (against.length > 0) return judged(against.slice(0, MOST_FOUND), '');
  if (files.length > MOST_FILES)
    return { verdict: 'unproven', why: `There are more than ${MOST_FILES} scripts and workflows.`, evidence: [] };
  const listed = read.flatMap(({ file }) => ({ file, digest: placeIn(project, file, 1)?.digest ?? null }));
  const shows = `No line of the kind is in ${listed.length === 1 ? '1 file' : `${listed.length} files`}.`;
  const lookedFor = 'a coding agent that a script, task or workflow starts without its sandbox or its questions';
  return judged([{ kind: 'scan', supports: true, shows, lookedFor, files: listed, matches: 0 }], '');
}

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
  return lines;
}

function evidenceOf(project: string, file: string, { number, text }: Line): readonly EvidenceDraft[] {
  const found = UNMISTAKABLE.exec(text) ?? OF_CLIENT.exec(text);
  const place = found === null ? null : placeIn(project, file, number);
  if (found === null || place === null) return [];
  const shows = 'This line starts a coding agent without its sandbox or its questions.';
  return [{ kind: 'file', supports: false, shows, place, excerpt: excerptOf(withoutSecrets(text.trim())) }];
}
