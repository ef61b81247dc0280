/** For a person: what an installation or its end changes, in a few lines; the whole change is the diff. */
import { escapeText } from './printing/escape.js';

type Scope = 'user' | 'project' | 'managed';

/** A file as it is and as it will be; `after` null: it goes. */
interface ChangedFile {
  readonly target: {
    readonly file: string;
    readonly runner: { readonly id: string };
    readonly scope: Scope;
    readonly text: string | null;
  };
  readonly after: string | null;
}

/** What a summary tells beside the change. */
export interface HookSummary {
  /** The events of the runner at which the hook is put, or was. */
  readonly events: readonly string[];
  /** What the sandbox gets, or loses, in a few words; null where none is concerned. */
  readonly sandbox: string | null;
  /** What takes the change back. */
  readonly undo: 'install' | 'uninstall';
}

/** Lines without line breaks: the file, the events, the sandbox and the command that takes it back. */
export function hookSummary({ target, after }: ChangedFile, { events, sandbox, undo }: HookSummary): readonly string[] {
  const { file, runner, scope, text } = target;
  return [
    `Settings file:  ${escapeText(file)} (${whatHappens(text, after)})`,
    ...(events.length === 0 ? [] : [`Hook events:    ${escapeText(events.join(', '))}`]),
    ...(sandbox === null ? [] : [`Sandbox:        ${undo === 'install' ? 'no more ' : ''}${escapeText(sandbox)}`]),
    `To undo this:   policy ${undo} ${runner.id}${SCOPE_FLAG[scope]}${undo === 'install' && sandbox !== null ? ' --sandbox' : ''}`,
  ];
}

/** Yours is what both commands mean without a flag. */
const SCOPE_FLAG: Readonly<Record<Scope, string>> = { user: '', project: ' --project', managed: ' --managed' };

function whatHappens(before: string | null, after: string | null): string {
  if (before === after) return 'stays as it is; only the copy of the program is missing';
  if (before === null) return 'new';
  if (after === null) return 'is deleted: it holds nothing but the hook';
  return 'everything else in it stays as it is';
}
