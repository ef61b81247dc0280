/** What the fuzzer damages: every fixed line of the oracle, the dangerous commands, and every recorded payload. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fixedLines } from '../oracle/lines/corpus.js';
import { longLines } from './long-lines.js';

export interface Payload {
  /** The runner that sent it, by the name of its folder. */
  readonly runner: string;
  readonly text: string;
}

export interface Seeds {
  readonly lines: readonly string[];
  /** Lines of one construct, nested or repeated; each costs as much as a hundred others. */
  readonly long: readonly string[];
  readonly payloads: readonly Payload[];
}

const PAYLOADS = 'test/fixtures/payloads';
/** Long lines in short: the same constructs, nested and repeated less often. */
const LONG = 160;

/** Reads everything below the current directory. */
export function readSeeds(): Seeds {
  const dangerous = readFileSync('test/fixtures/dangerous-commands.txt', 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  return {
    lines: [...fixedLines().map(({ line }) => line), ...dangerous],
    long: longLines(LONG).map(([, line]) => line),
    payloads: readdirSync(PAYLOADS).flatMap((runner) =>
      readdirSync(join(PAYLOADS, runner))
        .filter((file) => file.endsWith('.json'))
        .map((file) => ({ runner, text: readFileSync(join(PAYLOADS, runner, file), 'utf8') })),
    ),
  };
}
