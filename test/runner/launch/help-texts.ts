/** The help texts of real clients (test/fixtures/launch/RUNNER/VERSION.txt), and of one that says nothing of the flags (`stripped`). */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { RunnerId } from '../../../src/call/tool-call.js';
import { type KnownFlags, knownFlags } from '../../../src/runner/launch/launcher.js';

const FOLDER = 'test/fixtures/launch';

export function helpText(runner: RunnerId, version: string): string {
  return readFileSync(`${FOLDER}/${runner}/${version}.txt`, 'utf8');
}

/** What a client knows by its help. */
export function helpOf(runner: RunnerId, version: string): KnownFlags {
  return knownFlags(helpText(runner, version));
}

/** What it knows where a person works with it (test/fixtures/launch-person/RUNNER/VERSION.txt, where other flags count then). */
export function personHelpOf(runner: RunnerId, version: string): KnownFlags {
  const file = `${FOLDER}-person/${runner}/${version}.txt`;
  return existsSync(file) ? knownFlags(readFileSync(file, 'utf8')) : helpOf(runner, version);
}

/** Newest first, `stripped` last. */
export function versionsOf(runner: RunnerId): readonly string[] {
  return readdirSync(`${FOLDER}/${runner}`)
    .map((name) => name.replace(/\.txt$/, ''))
    .sort((one, other) => other.localeCompare(one, 'en', { numeric: true }))
    .sort((one, other) => Number(one === 'stripped') - Number(other === 'stripped'));
}
