/** The hooks of a runner other than Claude Code, as `policy doctor` finds them, in the form that an audit needs to ask them. */
import { digestOf } from '../../project/trust-record.js';
import type { InstalledHook, SettingsFile } from '../claude-code/settings.js';
import { shownFile } from '../model/digest.js';
import type { ExaminedRunner } from './found/subject.js';

/** The timeout in seconds that `policy install` gives a hook. */
const TIMEOUT = 30;

/** Returns every hook of this program that decides about calls, with the reason why it does not see all of them. */
export function foundHooks(
  { sources, hooks, switchedOff }: ExaminedRunner,
  project: string,
): { readonly files: readonly SettingsFile[]; readonly hooks: readonly InstalledHook[] } {
  const files = sources.map(
    ({ scope, file, text, ignored, unread }): SettingsFile => ({
      scope,
      file: shownFile(project, file),
      digest: text === null ? null : digestOf(text),
      ignored,
      unread,
    }),
  );
  const found = hooks
    .filter(({ blocks }) => blocks)
    .flatMap(({ scope, file, place, command, gaps }): InstalledHook[] => {
      const source = sources.find((one) => one.file === file);
      if (source?.text == null) return [];
      const idle = switchedOff(scope) ?? source.ignored ?? source.unread;
      return [
        {
          scope,
          type: 'command',
          command,
          args: null,
          timeout: TIMEOUT,
          failsClosed: true,
          line: place,
          limit: null,
          place: { file: shownFile(project, file), line: place, digest: digestOf(source.text) },
          whyNotBlocking: idle ?? (gaps.length === 0 ? null : gaps.join('; ')),
        },
      ];
    });
  return { files, hooks: found };
}
