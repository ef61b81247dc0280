/** Of which git commands it matters what files they bring into the work tree. */

import { type IncomingSource, incomingOf } from '../../../command/git/incoming.js';
import type { Command } from '../../../command/model/command.js';
import type { CallAnalysis } from '../../flow/analysis.js';
import { directoryOf } from '../../flow/directories.js';
import type { Place } from '../../place/place.js';

/** What has to be looked up in a repository. */
export interface IncomingNeeded {
  /** The directory that git runs in. */
  readonly directory: string;
  readonly source: IncomingSource;
}

/** The commands of a call, wrapped ones too, whose source its words tell. */
export function incomingNeeded(analysis: CallAnalysis, place: Place): readonly IncomingNeeded[] {
  let found: IncomingNeeded[] | null = null;
  const look = (command: Command) => {
    if (command.name === 'git') {
      const source = incomingOf(command)?.source ?? null;
      const directory = source === null || source.kind === 'remote' ? null : directoryOf(command, place);
      if (source !== null && directory !== null) {
        found ??= [];
        found.push({ directory, source });
      }
    }
    command.inner.forEach(look);
  };
  for (const { tree } of analysis.lines) tree.commands.forEach(look);
  return found ?? NONE;
}

const NONE: readonly IncomingNeeded[] = [];

/** The name that its facts go by. */
export function incomingKey({ directory, source }: IncomingNeeded): string {
  return JSON.stringify([directory, source]);
}
