/** The form in which our writer writes a record about a call: the parts of the line, most of which recur in other lines. */
import { utf8Length } from '../record/bytes.js';
import { jsonLine } from '../record/json-line.js';
import type { CallRecord } from './record-counter.js';

/** The parts of a line after its head, in order; joined they equal the line if our writer wrote it. */
export interface LineTexts {
  /** `"session":`, and the session. */
  readonly session: string;
  /** From the comma after the session up to `"project":`. */
  readonly caller: string;
  readonly project: string;
  /** `,"cwd":`, and the directory. */
  readonly cwd: string;
  /** From `,"run":`, or `,"version":` if no run is named, up to the kind's opening quote. */
  readonly version: string;
  /** From the kind up to `"rule":`; for a result up to `"message":`. */
  readonly ruling: string;
  /** From the rule up to `"message":`; empty for a result. */
  readonly rule: string;
  readonly message: string;
  /** `,"toolUseId":`, and the id. */
  readonly toolUseId: string;
  /** From the comma after the id up to `"input":`. */
  readonly tool: string;
  readonly input: string;
  /** From the comma after the input up to the digits of the digest. */
  readonly pointers: string;
  readonly digest: string;
  /** From the quote after the digest to the end. */
  readonly end: string;
}

export function lineTexts(record: CallRecord): LineTexts {
  const { session, runner, agent, model, project, cwd, run, version, message, toolUseId, tool, canonical, input, us } = record;
  const { masked, truncated, erased, digest } = record;
  const isDecision = record.kind === 'decision';
  const colon = digest.indexOf(':') + 1;
  return {
    session: `"session":${jsonLine(session)}`,
    caller: `,${membersOf({ runner, agent, model })},"project":`,
    project: jsonLine(project),
    cwd: `,"cwd":${jsonLine(cwd)}`,
    version: `,${membersOf({ ...(run !== undefined && { run }), version })},"kind":"`,
    ruling: `${(isDecision ? decisionOf(record) : resultOf(record)).slice('"kind":"'.length)},"${isDecision ? 'rule' : 'message'}":`,
    rule: isDecision ? `${jsonLine(record.rule)},"reasons":${jsonLine(record.reasons)},"message":` : '',
    message: jsonLine(message),
    toolUseId: `,"toolUseId":${jsonLine(toolUseId)}`,
    tool: `,${membersOf({ tool, canonical })},"input":`,
    input: jsonLine(input),
    pointers: `,${membersOf({ masked, truncated, erased })},"digest":"${digest.slice(0, colon)}`,
    digest: digest.slice(colon),
    end: `",${isDecision ? `${membersOf({ policy: record.policy, permissionMode: record.permissionMode })},` : ''}"us":${us}}`,
  };
}

/** The position of each part of a line. */
export type LinePlaces = Readonly<Record<keyof LineTexts, number>>;

/** @param start the position after the head of the line */
export function placesOf(texts: LineTexts, start: number): LinePlaces {
  const places = { ...NO_PLACES };
  let at = start;
  for (const name of NAMES) {
    places[name] = at;
    at += utf8Length(texts[name]);
  }
  return places;
}

const NO_PLACES: Record<keyof LineTexts, number> = {
  session: 0,
  caller: 0,
  project: 0,
  cwd: 0,
  version: 0,
  ruling: 0,
  rule: 0,
  message: 0,
  toolUseId: 0,
  tool: 0,
  input: 0,
  pointers: 0,
  digest: 0,
  end: 0,
};
/** In the order of the line. */
const NAMES = Object.keys(NO_PLACES) as (keyof LineTexts)[];

function decisionOf({ kind, mode, decision, would, stage }: CallRecord & { readonly kind: 'decision' }): string {
  return membersOf({ kind, mode, decision, ...(would !== undefined && { would }), stage });
}

function resultOf({ kind, result }: CallRecord & { readonly kind: 'result' }): string {
  return membersOf({ kind, result });
}

/** Returns the members of an object as written in a line. */
function membersOf(value: object): string {
  return jsonLine(value).slice(1, -1);
}
