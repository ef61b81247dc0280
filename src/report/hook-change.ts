/** For a person: the changes made by an installation or uninstallation, in a few lines; the diff shows them completely. */
import { escapeText } from './printing/escape.js';

type Scope = 'user' | 'project' | 'managed';

/** A file before and after the change; `after` null: it is removed. */
interface ChangedFile {
  readonly target: {
    readonly file: string;
    readonly runner: { readonly id: string };
    readonly scope: Scope;
    readonly text: string | null;
  };
  readonly after: string | null;
}

/** The parts of a summary other than the change itself. */
export interface HookSummary {
  /** The events of the runner at which the hook is installed, or was. */
  readonly events: readonly string[];
  /** What the sandbox gains or loses, in a few words; null if no sandbox is affected. */
  readonly sandbox: string | null;
  /** The command that undoes the change. */
  readonly undo: 'install' | 'uninstall';
}

/** Returns lines without line breaks: the file, the events, the sandbox and the command that undoes the change. */
export function hookSummary({ target, after }: ChangedFile, { events, sandbox, undo }: HookSummary): readonly string[] {
  const { file, runner, scope, text } = target;
  return [
    `Settings file:  ${escapeText(file)} (${whatHappens(text, after)})`,
    ...(events.length === 0 ? [] : [`Hook events:    ${escapeText(events.join(', '))}`]),
    ...(sandbox === null ? [] : [`Sandbox:        ${undo === 'install' ? 'no more ' : ''}${escapeText(sandbox)}`]),
    `To undo this:   policy ${undo} ${runner.id}${SCOPE_FLAG[scope]}${undo === 'install' && sandbox !== null ? ' --sandbox' : ''}`,
  ];
}

/** Both commands use the user scope without a flag. */
const SCOPE_FLAG: Readonly<Record<Scope, string>> = { user: '', project: ' --project', managed: ' --managed' };

function whatHappens(before: string | null, after: string | null): string {
  if (before === after) return 'stays as it is; only the copy of the program is missing';
  if (before === null) return 'new';
  if (after === null) return 'is deleted: it contains only the hook';
  return 'everything else in it stays as it is';
}
