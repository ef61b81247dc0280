/** The interface between a scan of the log and a counter of its records. */
import type { DecisionRecord, EventRecord, LogRecord, ResultRecord } from '../record/record.js';
import type { CallHash } from './recent-calls.js';

export type CallRecord = DecisionRecord | ResultRecord;

export type RecordedCaller = Pick<LogRecord, 'runner' | 'agent' | 'model'>;

/** The fields of a record that describe how a call was decided, or how it ended. */
export type RecordedRuling =
  | Pick<DecisionRecord, 'kind' | 'mode' | 'decision' | 'would' | 'stage' | 'rule' | 'reasons'>
  | Pick<ResultRecord, 'kind' | 'result'>;

export type RecordedTool = Pick<CallRecord, 'tool' | 'canonical'>;

/**
 * Counts records. Much of a record is the same in many others; values derived from the session, the caller, the ruling and the
 * tool are therefore created once, from the first record that has it.
 */
export interface RecordCounter<Session, Caller, Ruling, Tool> {
  readonly sessionOf: (session: string | null) => Session;
  readonly callerOf: (record: RecordedCaller) => Caller;
  readonly rulingOf: (record: RecordedRuling) => Ruling;
  readonly toolOf: (record: RecordedTool) => Tool;
  /** Counts a record about a call. `numbers` is only valid until it returns. */
  readonly add: (session: Session, caller: Caller, ruling: Ruling, tool: Tool, numbers: RecordNumbers) => void;
  readonly addEvent: (record: EventRecord, session: Session, caller: Caller, numbers: RecordNumbers) => void;
}

export interface RecordNumbers {
  /** The day as a number: 20260131. */
  readonly day: number;
  /** The time of day as a number: 235959999. */
  readonly clock: number;
  /** Microseconds; -1 if the record has none. */
  readonly us: number;
  /** The record has a toolUseId, and `call` is the hash of session and toolUseId. */
  readonly hasCall: boolean;
  readonly call: Readonly<CallHash>;
  readonly toolUseId: () => string | null;
  /** Parses and returns the whole record. Null would indicate a bug of the scan, since only records are counted. */
  readonly record: () => LogRecord | null;
}
