/** `policy replay`: decides the calls of past sessions, without an installation and without a policy. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { projectStarter, proposeStarter } from '../../author/starter.js';
import { isDirectory } from '../../disk/git/directory.js';
import { atMoment } from '../../enforce/enforce.js';
import { momentOf } from '../../log/record/time-span.js';
import { projectOf } from '../../project/project.js';
import { Moment } from '../../project/surroundings.js';
import type { Workspace } from '../../project/workspace.js';
import { Replay, type ReplayPlace } from '../../replay/replay.js';
import { callsOf, type SessionFile, sessionsAt, sessionsOf } from '../../replay/sessions.js';
import { replayJson, replayText } from '../../report/replay.js';
import { openAt, openSilently, POLICY_OPTIONS, problemLine } from '../place/open.js';
import { EXIT, type ExitCode, UsageError } from '../terminal/exit.js';
import { withProgress } from '../terminal/progress.js';
import { print, printProse, textOptions } from '../terminal/terminal.js';
import { type Arguments, switchFlag, textFlag } from '../words/arguments.js';
import type { Takes } from '../words/command.js';

const LAST = '30d';

export const takes: Takes = {
  arguments: {
    paths: {
      array: true,
      value: 'FILE',
      describe: 'Transcripts, or folders of them (default: those of every coding agent here)',
    },
  },
  options: {
    last: { value: 'TIME', default: LAST, describe: 'Only sessions that are not older, such as 12h or 90d' },
    json: { describe: 'One JSON object' },
    ...POLICY_OPTIONS,
  },
};

/** Throws UsageError for a path without transcripts, and for a mistake in a policy file that the command line names. */
export async function run(args: Arguments): Promise<ExitCode> {
  const files = filesOf(args);
  if (textFlag(args, 'policy') !== undefined) openSilently(args, true);
  const opener = new Opener(args);
  try {
    const replay = new Replay((cwd) => opener.placeOf(cwd));
    let unread = 0;
    let done = 0;
    await withProgress('policy replay', async (tick) => {
      for (const [at, file] of files.entries()) {
        const calls = callsOf(file);
        if (calls === null) unread += 1;
        for (const call of calls ?? []) {
          replay.add(call);
          done += 1;
          if (done % 200 === 0) await new Promise(setImmediate);
        }
        tick(`${at + 1} of ${files.length} sessions, ${done} calls`);
      }
    });
    const found = { ...replay.totals(), unread, policy: opener.described() };
    if (switchFlag(args, 'json')) await print(`${replayJson(found)}\n`);
    else await printProse(done === 0 ? nothing(files, args) : replayText(found, textOptions()));
  } finally {
    opener.close();
  }
  return EXIT.allow;
}

function nothing(files: readonly SessionFile[], args: Arguments): string {
  const named = Array.isArray(args.paths) ? args.paths.join(', ') : '';
  const where = named === '' ? `for the last ${textFlag(args, 'last') ?? LAST}` : `in ${named}`;
  const what = files.length === 0 ? `No session of a coding agent was found ${where}` : `No file ${where} has a tool call`;
  return `${what}. Name a transcript or a folder: policy replay FILE\n`;
}

function filesOf(args: Arguments): readonly SessionFile[] {
  const paths = Array.isArray(args.paths) ? args.paths.map(String) : [];
  const last = textFlag(args, 'last') ?? LAST;
  const since = momentOf(last, Date.now(), 'start');
  if (since === null) throw new UsageError(`--last ${last} is no time; give one such as 12h, 30d or 2026-01-31`);
  if (paths.length === 0) return sessionsOf(homedir(), process.env, since);
  return paths.flatMap((path) => {
    const found = sessionsAt(resolve(path));
    if (found === null) throw new UsageError(`${path} is neither a file nor a folder`);
    return found;
  });
}

/** Opens the policy of each folder once; a project without any gets the one that `policy init` would write. */
class Opener {
  readonly #args: Arguments;
  readonly #places = new Map<string, ReplayPlace>();
  readonly #starters = new Map<string, string>();
  /** Files do not change while sessions are replayed, as far as that matters: their facts are shared. */
  readonly #moment = new Moment();
  #folder: string | null = null;
  #own = 0;

  constructor(args: Arguments) {
    this.#args = args;
  }

  placeOf(cwd: string | null): ReplayPlace {
    const wanted = cwd ?? resolve(textFlag(this.#args, 'cwd') ?? '.');
    const known = this.#places.get(wanted);
    if (known !== undefined) return known;
    const folder = existing(wanted);
    const opened = this.#opened(folder);
    const place =
      'unusable' in opened ? opened : { workspace: atMoment(opened.workspace, this.#moment), isGone: folder !== wanted };
    this.#places.set(wanted, place);
    return place;
  }

  #opened(folder: string): { readonly workspace: Workspace } | { readonly unusable: string } {
    const opened = openAt(this.#args, true, folder);
    if (!opened.ok) return { unusable: `the policy cannot be used: ${opened.problems.map(problemLine).join('; ')}` };
    const hasPolicy = opened.workspace.policy.sources.length > 0 || textFlag(this.#args, 'preset') !== undefined;
    if (hasPolicy) {
      this.#own += 1;
      return opened;
    }
    const again = openAt({ ...this.#args, policy: this.#starterOf(projectOf(folder)) }, true, folder);
    return again.ok ? again : opened;
  }

  /** A file outside of the project with the starter policy. */
  #starterOf(project: string): string {
    const known = this.#starters.get(project);
    if (known !== undefined) return known;
    this.#folder ??= mkdtempSync(join(tmpdir(), 'policy-replay-'));
    const file = join(this.#folder, `${this.#starters.size}.yaml`);
    writeFileSync(
      file,
      projectStarter(proposeStarter(project)).files.find(({ stem }) => stem === 'policy')?.text ?? 'version: 1\n',
    );
    this.#starters.set(project, file);
    return file;
  }

  described(): string {
    if (this.#starters.size === 0) return 'yours and those of the projects';
    return this.#own === 0
      ? 'none is set up, so the one that policy init would write'
      : 'yours and those of the projects; where there is none, the one that policy init would write';
  }

  close(): void {
    if (this.#folder !== null) rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** The folder, or the nearest above it that still exists. */
function existing(folder: string): string {
  for (let at = folder; ; at = dirname(at)) if ((existsSync(at) && isDirectory(at)) || at === dirname(at)) return at;
}
