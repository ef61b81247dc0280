/** The differences between two pieces of evidence for the same thing. Times, durations and numbers in sentences may differ. */
import { isDeepStrictEqual } from 'node:util';
import type {
  CheckEvidence,
  DecisionEvidence,
  Evidence,
  FileEvidence,
  Place,
  ProbeEvidence,
  ScanEvidence,
  SettingEvidence,
} from '../model/report.js';
import { withoutNumbers } from '../model/without-numbers.js';

/** A sentence; null when both are the same. */
export function differenceOf(then: Evidence, now: Evidence): string | null {
  if (isDeepStrictEqual(settled(then), settled(now))) return null;
  const said = toldBy(then, now);
  return said ?? `It shows something else now: ${now.shows}`;
}

const LOG = 'log';

/** Returns the form that is compared: without the id, and without parts that differ from run to run. */
function settled(piece: Evidence): object {
  const { id: _, ...rest } = { ...piece, shows: withoutNumbers(piece.shows) };
  switch (rest.kind) {
    case 'file':
    case 'scan':
    case 'setting':
      return rest;
    case 'decision':
      return { ...rest, message: withoutNumbers(rest.message) };
    case 'check': {
      // A log that grew has another checkpoint; whether it is the same log is checked separately.
      const { seal, fix, command, ...more } = rest;
      // A log goes on: the next run words the newest call and the number of calls differently.
      const spoken = more.level === 'ok' && more.check === LOG ? { shows: '' } : {};
      const repair = fix === null ? null : withoutNumbers(fix);
      return { ...more, ...spoken, command: withoutNumbers(command), fix: repair, isSealed: seal !== undefined };
    }
    case 'probe': {
      const { place, stdout, stderr, ...more } = rest;
      const spoken = { stdout: withoutNumbers(stdout), stderr: withoutNumbers(stderr) };
      // The hook was asked again, so other changes in its file are irrelevant.
      return { ...more, ...spoken, file: place.file, milliseconds: 0 };
    }
  }
}

function toldBy(then: Evidence, now: Evidence): string | null {
  if (then.kind === 'file' && now.kind === 'file') return ofFile(then, now);
  if (then.kind === 'scan' && now.kind === 'scan') return ofScan(then, now);
  if (then.kind === 'setting' && now.kind === 'setting') return ofSetting(then, now);
  if (then.kind === 'decision' && now.kind === 'decision') return ofDecision(then, now);
  if (then.kind === 'check' && now.kind === 'check') return ofCheck(then, now);
  return then.kind === 'probe' && now.kind === 'probe' ? ofProbe(then, now) : null;
}

function ofFile(then: FileEvidence, now: FileEvidence): string | null {
  if (withoutNumbers(then.shows) !== withoutNumbers(now.shows))
    return `${now.place.file}:${now.place.line} says now: ${now.shows}`;
  return ofPlace(then.place, now.place);
}

function ofPlace(then: Place, now: Place): string | null {
  if (then.file !== now.file) return `It is in ${now.file} now, not in ${then.file}.`;
  return then.digest === now.digest ? null : `${now.file} was edited: its digest is ${now.digest}.`;
}

const MOST_FILES = 5;

function ofScan(then: ScanEvidence, now: ScanEvidence): string | null {
  const before = new Map(then.files.map(({ file, digest }) => [file, digest]));
  const after = new Map(now.files.map(({ file, digest }) => [file, digest]));
  const told = [
    ...[...after]
      .filter(([file, digest]) => before.has(file) && before.get(file) !== digest)
      .map(([file]) => `${file} was edited`),
    ...[...after.keys()].filter((file) => !before.has(file)).map((file) => `${file} is new`),
    ...[...before.keys()].filter((file) => !after.has(file)).map((file) => `${file} is gone`),
  ];
  const more = told.length > MOST_FILES ? `, and ${told.length - MOST_FILES} more` : '';
  if (told.length > 0) return `Searched files have changed: ${told.slice(0, MOST_FILES).join(', ')}${more}.`;
  return then.digest === now.digest ? null : 'A searched file that is not listed has changed.';
}

function ofSetting(then: SettingEvidence, now: SettingEvidence): string | null {
  if (then.value !== now.value) return `${now.key} is ${now.value} now; it was ${then.value}.`;
  if (then.place === null || now.place === null)
    return then.place === now.place
      ? null
      : `${now.key} is ${now.place === null ? 'the default now' : `written in ${now.place.file} now`}.`;
  return ofPlace(then.place, now.place);
}

function ofDecision(then: DecisionEvidence, now: DecisionEvidence): string | null {
  if (then.tool !== now.tool || !isDeepStrictEqual(then.input, now.input)) return `Another call is checked now: ${now.command}`;
  if (then.actual !== now.actual) return `The policy decides ${now.actual} now; it was ${then.actual}: ${now.message}`;
  return then.message === now.message ? null : `The policy decides ${now.actual} for a different reason: ${now.message}`;
}

function ofProbe(then: ProbeEvidence, now: ProbeEvidence): string | null {
  if (then.outcome !== now.outcome) return `The hook's answer is ${now.outcome} now; it was ${then.outcome}: ${now.shows}`;
  if (then.place.file !== now.place.file) return ofPlace(then.place, now.place);
  if (then.command !== now.command) return `Another command line is installed: ${now.command}`;
  if (then.payload !== now.payload) return `The hook gets another call now: ${now.payload}`;
  const spoken = `${now.stdout}${now.stderr}`;
  return spoken === `${then.stdout}${then.stderr}` ? null : `The hook answers ${now.outcome} in different words: ${spoken}`;
}

function ofCheck(then: CheckEvidence, now: CheckEvidence): string | null {
  if (then.level === now.level && then.seal === undefined && now.seal !== undefined)
    return 'The report has no checkpoint of the log, so it is unknown whether this is the same log.';
  return then.level === now.level ? null : `The check says ${now.level} now; it was ${then.level}: ${now.shows}`;
}
