/** The git commands for which it matters what files they bring into the work tree. */

import { type IncomingSource, incomingOf } from '../../../command/git/incoming.js';
import type { Command } from '../../../command/model/command.js';
import type { CallAnalysis } from '../../flow/analysis.js';
import { directoryOf } from '../../flow/directories.js';
import type { Place } from '../../place/place.js';

/** A look-up to make in a repository. */
export interface IncomingNeeded {
  /** The directory that git runs in. */
  readonly directory: string;
  readonly source: IncomingSource;
}

/** The commands of a call, including wrapped ones, whose source is evident from their words. */
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

/** The key of its facts. */
export function incomingKey({ directory, source }: IncomingNeeded): string {
  return JSON.stringify([directory, source]);
}
