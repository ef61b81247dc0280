/** A control of an audit: its claims, what is missing, and the evidence, in the words and order of the original document. */
import type { ClaimResult, ControlResult, Evidence, Place, ProbeEvidence, RiskRating, Status } from '../../audit/model/report.js';
import { type Block, type Inline, type Item, type Mark, paragraph, section } from '../printing/document.js';

const WORDS: Readonly<Record<Status, string>> = {
  implemented: 'IMPLEMENTED',
  partial: 'PARTIAL IMPLEMENTATION',
  missing: 'MISSING',
  unknown: 'NO EVIDENCE',
};

/** A control that is implemented but not in force protects nobody. */
export function markOf({ status, notInForce }: ControlResult): Status {
  return notInForce === null ? status : 'partial';
}

/** @param shown places of hooks whose command line was already shown; newly shown ones are added */
export function controlSection(control: ControlResult, shown: Set<string>): Block {
  const { id, title, status, notInForce, description, claims, evidence, needs, priority, rating } = control;
  const mark = { mark: markOf(control) };
  const gaps = claims.filter(({ gap }) => gap !== null);
  const steps = [...new Set(gaps.flatMap(({ mitigation }) => mitigation ?? []))];
  return section([mark, ` ${id}. `, { ours: title }], id, [
    paragraph({ strong: 'Current Status' }, ': ', mark, ' ', {
      strong: notInForce === null ? WORDS[status] : `${WORDS[status]}, NOT IN FORCE`,
    }),
    ...(notInForce === null ? [] : [paragraph({ ours: notInForce })]),
    paragraph({ ours: description }),
    ...labelled('Analysis', claims.map(claimItem)),
    ...labelled('Evidence that is needed', needs.map(ours)),
    ...labelled(
      'Gap Identified',
      gaps.map((claim) => gapItem(claim, evidence)),
    ),
    ...labelled('Mitigation Required', steps.map(ours)),
    paragraph({ strong: 'Priority' }, `: ${priority.toUpperCase()}`),
    paragraph({ strong: 'Risk' }, `: ${ratingText(rating)}`),
    ...(evidence.length === 0
      ? []
      : [
          folded('Evidence', [{ kind: 'list', items: evidence.map((piece) => evidenceItem(piece, shown)) }]),
          paragraph({ strong: 'Validation' }, `: ${VALIDATION}`),
        ]),
  ]);
}

const VALIDATION =
  'files can be compared with their digests; each command and each payload can be run again in the project as shown.';

function ours(text: string): Item {
  return { text: { ours: text } };
}

function folded(title: string, blocks: readonly Block[]): Block {
  return { kind: 'folded', title, blocks };
}

function labelled(label: string, items: readonly Item[]): readonly Block[] {
  return items.length === 0 ? [] : [paragraph({ strong: label }, ':'), { kind: 'list', items }];
}

/** `12 of 25 (high): likelihood 3, impact 4, confidence high` */
export function ratingText({ likelihood, impact, score, band, confidence }: RiskRating): string {
  return `${score} of 25 (${band}): likelihood ${likelihood}, impact ${impact}, confidence ${confidence}`;
}

const VERDICTS: Readonly<Record<ClaimResult['verdict'], Mark>> = {
  met: 'implemented',
  unmet: 'missing',
  unproven: 'unknown',
  'not-applicable': 'none',
};

/** Ends with the ids of its evidence, which are numbered consecutively. */
function claimItem({ verdict, level, runner, statement, evidence, unproven }: ClaimResult): Item {
  const [first, last] = [evidence[0], evidence.at(-1)];
  const why = verdict === 'unproven' ? ' Not proven: ' : ' Does not apply: ';
  return {
    text: [
      { mark: VERDICTS[verdict] },
      ` ${level}${runner === null ? '' : `, ${runner}`}: `,
      { ours: statement },
      ...(unproven === null ? [] : [why, { ours: unproven }]),
      ...(first === undefined || last === undefined
        ? []
        : [' (', { link: first }, ...(first === last ? [] : [' to ', { link: last }]), ')']),
    ],
  };
}

const MOST_EXAMPLES = 5;

/** Returns the gap with the first pieces of evidence for it; for evidence other than files, the sentence itself states the place. */
function gapItem({ gap, evidence: ids }: ClaimResult, evidence: readonly Evidence[]): Item {
  const against = evidence.filter(({ id, supports }) => !supports && ids.includes(id));
  const shown = against.slice(0, MOST_EXAMPLES).map((piece): Item => {
    const place: readonly Inline[] = piece.kind === 'file' ? [' ', { code: `${piece.place.file}:${piece.place.line}` }] : [];
    return { text: [{ link: piece.id }, `: ${piece.shows}`, ...place] };
  });
  const more = against.length > MOST_EXAMPLES ? [{ text: `and ${against.length - MOST_EXAMPLES} more` }] : [];
  return { ...ours(gap ?? ''), below: [...shown, ...more] };
}

/** Returns one entry for each piece; probes with their transcript. */
function evidenceItem(piece: Evidence, shown: Set<string>): Item {
  const { id, supports, shows } = piece;
  const head = [{ mark: supports ? 'implemented' : 'missing' } as const, ` ${id} ${shows}`];
  switch (piece.kind) {
    case 'file':
      return { id, text: [...head, ' ', ...place(piece.place), ': ', { code: piece.excerpt }] };
    case 'setting': {
      const where = piece.place === null ? ['the default'] : place(piece.place);
      return { id, text: [...head, ' ', { code: `${piece.key}: ${piece.value}` }, ', ', ...where] };
    }
    case 'scan': {
      const below = piece.files.map(({ file, digest }) => ({ text: [{ code: file }, ` ${digest ?? 'not there'}`] }));
      return { id, text: [...head, ` Looked for ${piece.lookedFor} in:`], below };
    }
    case 'decision':
      return { id, text: [...head, ' ', { code: piece.message }, ' Ask again: ', { code: piece.command }] };
    case 'check': {
      const fix: readonly Inline[] = piece.fix === null ? [] : [' Fix: ', { code: piece.fix }, '.'];
      return { id, text: [...head, ...fix, ' Check again: ', { code: piece.command }] };
    }
    case 'probe':
      return { id, text: head, lines: transcript(piece, shown) };
  }
}

function place({ file, line, digest }: Place): readonly Inline[] {
  return [{ code: `${file}:${line}` }, ` ${digest}`];
}

/** The command line of a hook is shown only once, at its first probe. */
function transcript(probe: ProbeEvidence, shown: Set<string>): readonly string[] {
  const at = `${probe.place.file}:${probe.place.line}`;
  const command = shown.has(at) ? `$ as above (${at})` : `$ ${probe.command}`;
  shown.add(at);
  const said = (['stdout', 'stderr'] as const).flatMap((name) =>
    probe[name] === '' ? [] : probe[name].split('\n').map((line) => `${name}: ${line}`),
  );
  const end = probe.timedOut ? 'no answer' : probe.signal === null ? `exit code ${probe.exitCode}` : `killed by ${probe.signal}`;
  return [command, `< ${probe.payload}`, ...said, `${end} after ${probe.milliseconds} ms; expected: ${probe.expected}`];
}
