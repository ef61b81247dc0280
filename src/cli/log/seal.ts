/** `policy log seal|verify|prove|prune`: the Merkle tree over the log, which shows whether the log was changed. */
import { readFileSync } from 'node:fs';
import { pruneSealed, sealAndArchive } from '../../enforce/change-log.js';
import { systemCode } from '../../log/files/log-error.js';
import { recordsById } from '../../log/read/query.js';
import { checkProof, proveConsistency, proveRecord, verifierOf } from '../../log/tree/prove.js';
import { prunable } from '../../log/tree/prune.js';
import type { Sealed } from '../../log/tree/seal.js';
import { readTree } from '../../log/tree/state.js';
import { unsealedTail } from '../../log/tree/unsealed.js';
import { verifyLog } from '../../log/tree/verify.js';
import { sealText, unsealedText, verificationText } from '../../report/log/verification.js';
import { escapeJson, jsonLine } from '../../report/printing/escape.js';
import { refuseInsideRunner } from '../place/where.js';
import { confirmed } from '../terminal/confirm.js';
import { EXIT, type ExitCode, UsageError } from '../terminal/exit.js';
import { withProgress } from '../terminal/progress.js';
import { print, printProse, warn } from '../terminal/terminal.js';
import { type Arguments, switchFlag, textFlag } from '../words/arguments.js';
import { momentFlag } from './read.js';

/** Maximum milliseconds that a seal waits for another one, and that it runs: longer than any log takes. */
const PATIENCE = 30_000;
const LONGEST_SEAL = 24 * 3_600_000;
const LARGEST_FILE = 4 * 1024 * 1024;

/** Seals the records since the last time, or reports what it would seal. Throws UsageError inside a runner, and when not confirmed. */
export async function seal(args: Arguments, state: string): Promise<ExitCode> {
  if (switchFlag(args, 'dry-run')) {
    const unsealed = unsealedTail(state, readTree(state), Date.now());
    await print(switchFlag(args, 'json') ? jsonLine({ version: 1, unsealed }) : unsealedText(unsealed));
    return EXIT.allow;
  }
  refuseInsideRunner('policy log seal');
  if (!(await agreed(args, 'Seal the decision log? Sealed records can be deleted, but not changed without anybody noticing.')))
    return EXIT.error;
  const rounds: Sealed[] = [];
  const away = sealAndArchive(state, { patience: PATIENCE, time: LONGEST_SEAL }, (sealed) => rounds.push(sealed));
  for (const warning of new Set(rounds.flatMap(({ warnings }) => warnings))) warn(`warning: ${warning}`);
  const last = rounds.at(-1);
  if (last === undefined) return EXIT.allow;
  const added = rounds.reduce((sum, sealed) => sum + sealed.added, 0);
  const isFirst = rounds.some((sealed) => sealed.isFirst);
  if (switchFlag(args, 'json')) await print(jsonLine({ ...last, added, isFirst, warnings: undefined, ...away }));
  else await print(sealText({ ...last, added, isFirst }, away));
  return EXIT.allow;
}

/** Checks the log, or a proof. Returns 1 when something differs from what was sealed. */
export async function verify(args: Arguments, state: string): Promise<ExitCode> {
  const [key, checkpoint, proof] = ['key', 'checkpoint', 'proof'].map((name) => textFlag(args, name) ?? null);
  const kept = checkpoint == null ? null : readText(checkpoint);
  if (proof != null) return verifyProof(args, readText(proof), state, key ?? null, kept);
  const trusted = { verifier: key ?? null, checkpoint: kept };
  const found = await withProgress('policy log verify', (tick) => verifyLog(state, Date.now(), trusted, tick));
  if (switchFlag(args, 'json')) await print(jsonLine({ version: 1, ok: found.problemCount === 0, ...found }));
  else await printProse(verificationText(found));
  return found.problemCount === 0 ? EXIT.allow : EXIT.deny;
}

async function verifyProof(
  args: Arguments,
  proof: string,
  state: string,
  key: string | null,
  older: string | null,
): Promise<ExitCode> {
  const proved = checkProof(proof, verifierOf(state, key), older);
  if (proved === null) {
    warn(
      'The proof is not valid: it is not signed by this key, not for this record, or (for a consistency proof) --checkpoint is not the older one.',
    );
    return EXIT.deny;
  }
  if (switchFlag(args, 'json')) await print(jsonLine(proved));
  else if (proved.kind === 'inclusion')
    await print(`Record ${proved.record} of the ${proved.size} sealed records is:\n${escapeJson(proved.line)}\n`);
  else await print(`The first ${proved.old} of the ${proved.size} sealed records are those of the older checkpoint.\n`);
  return EXIT.allow;
}

/** Prints a self-contained proof: of a record, or with --from of consistency. */
export async function prove(args: Arguments, state: string): Promise<ExitCode> {
  const [id, from] = [textFlag(args, 'id')?.toLowerCase(), textFlag(args, 'from')];
  if ((id === undefined) === (from === undefined))
    throw new UsageError(
      'Name a record by its id, or a number of records: policy log prove ID, or policy log prove --from COUNT',
    );
  if (from !== undefined) {
    if (!/^[1-9]\d{0,14}$/.test(from)) throw new UsageError(`--from is ${JSON.stringify(from)}; it must be a number of records`);
    await print(jsonLine(proveConsistency(state, Number(from))));
  } else await print(proveRecord(state, fullId(state, id ?? '')));
  return EXIT.allow;
}

function fullId(state: string, prefix: string): string {
  if (!/^[0-9a-f-]{4,36}$/.test(prefix)) throw new UsageError('Name a record by its id, or at least its first 4 characters');
  const [record, other] = recordsById(state, prefix, 2);
  if (record === undefined) throw new UsageError(`No record has an id that begins with ${prefix}`);
  if (other !== undefined) throw new UsageError(`Several records have an id that begins with ${prefix}`);
  return record.id;
}

/** Deletes old files. Throws UsageError inside a runner, and when not confirmed. */
export async function prune(args: Arguments, state: string): Promise<ExitCode> {
  refuseInsideRunner('policy log prune');
  const before = momentFlag(args, 'before', 'start');
  if (before === undefined) throw new UsageError('Say how old: policy log prune --before 2026-01-31, or --before 90d');
  const files = prunable(state, before);
  if (files.length === 0) {
    await print('Nothing to delete: only archived files of earlier days can be pruned.\n');
    return EXIT.allow;
  }
  const count = files.reduce((sum, { records }) => sum + records, 0);
  for (const { path, records } of files) warn(`${path}: ${records} records`);
  if (switchFlag(args, 'dry-run')) {
    await print(`${files.length} files with ${count} records would be deleted (--dry-run).\n`);
    return EXIT.allow;
  }
  if (!(await agreed(args, `Delete ${files.length} files with ${count} records permanently?`))) return EXIT.error;
  const gone = pruneSealed(state, before);
  await print(`Deleted ${gone} records; their hashes stay in the tree, so all others can still be verified.\n`);
  return EXIT.allow;
}

async function agreed(args: Arguments, question: string): Promise<boolean> {
  if (switchFlag(args, 'yes') || (await confirmed(question))) return true;
  warn('Nothing was changed.');
  return false;
}

function readText(path: string): string {
  try {
    const bytes = readFileSync(path);
    if (bytes.length <= LARGEST_FILE) return bytes.toString('utf8');
  } catch (error) {
    throw new UsageError(`${path} cannot be read (${systemCode(error)})`);
  }
  throw new UsageError(`${path} is larger than ${LARGEST_FILE} bytes`);
}
