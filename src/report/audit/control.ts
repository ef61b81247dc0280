/** A control of an audit: its claims, what is missing, and the evidence, in the words and order of the original document. */
import type { ClaimResult, ControlResult, Evidence, Place, ProbeEvidence, RiskRating, Status } from '../../audit/model/report.js';
import { type Block, type Inline, type Item, type Mark, paragraph, section } from '../printing/document.js';
import { markOf, openness } from './first-screen.js';

const WORDS: Readonly<Record<Status, string>> = {
  implemented: 'IMPLEMENTED',
  partial: 'PARTIAL IMPLEMENTATION',
  pending: 'PENDING',
  missing: 'MISSING',
  'not-applicable': 'NOT APPLICABLE',
};

/** @param shown places of hooks whose command line was already shown; newly shown ones are added */
export function controlSection(control: ControlResult, shown: Set<string>): Block {
  const { id, title, status, notInForce, description, claims, evidence, needs, priority, rating } = control;
  const mark = { mark: markOf(control) };
  const gaps = claims.filter(({ gap }) => gap !== null);
  const points =
    control.integrationPoints.length === 0 ? ['none: no installed hook answered a test call'] : control.integrationPoints;
  const word = notInForce === null ? WORDS[status] : `${WORDS[status]}, NOT IN FORCE`;
  return section([mark, ` ${id}. `, { ours: title }], id, [
    paragraph({ strong: 'Current Status' }, ': ', mark, ' ', { strong: word }, openness(control)),
    ...(notInForce === null ? [] : [paragraph({ ours: notInForce })]),
    paragraph({ ours: description }),
    ...labelled(
      'Gap Identified',
      gaps.map((claim) => gapItem(claim, evidence)),
    ),
    ...labelled('Mitigation Required', control.mitigations.map(ours)),
    ...labelled('Not Checked', claims.filter(({ verdict }) => verdict === 'unproven').map(uncheckedItem)),
    paragraph({ strong: 'Priority' }, `: ${priority.toUpperCase()}`),
    paragraph({ strong: 'Risk' }, `: ${ratingText(rating)}`),
    {
      kind: 'folded',
      title: `Analysis, evidence and validation of ${id}`,
      blocks: [
        ...labelled('Analysis', claims.map(claimItem)),
        ...labelled('Evidence that is needed', needs.map(ours)),
        ...labelled(
          'Evidence',
          evidence.map((piece) => evidenceItem(piece, shown)),
        ),
        ...labelled(
          'Integration Point',
          points.map((text) => ({ text })),
        ),
        paragraph({ strong: 'Validation' }, ': ', { ours: control.validation }),
      ],
    },
  ]);
}

function uncheckedItem({ runner, unproven, mitigation }: ClaimResult): Item {
  const who = runner === null ? '' : `${runner}: `;
  return { text: [who, { ours: unproven ?? '' }], below: [{ text: ['→ ', { ours: mitigation ?? '' }] }] };
}

function ours(text: string): Item {
  return { text: { ours: text } };
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
  unproven: 'partial',
  'not-applicable': 'none',
};

/** Says what was looked at; the ids of its evidence are numbered consecutively. */
function claimItem({ verdict, proof, runner, statement, evidence, unproven, lookedAt }: ClaimResult): Item {
  const [first, last] = [evidence[0], evidence.at(-1)];
  const held = `${proof.charAt(0).toUpperCase()}${proof.slice(1)}`;
  const word = { unmet: 'Proven gap', unproven: 'Unverified', 'not-applicable': 'Not applicable', met: held }[verdict];
  const why = verdict === 'unproven' ? ' Not checked: ' : ' Does not apply: ';
  return {
    text: [
      { mark: VERDICTS[verdict], word },
      `${runner === null ? '' : `, ${runner}`}: `,
      { ours: statement },
      ...(unproven === null ? [] : [why, { ours: unproven }]),
      ...(lookedAt === null ? [] : [' Checked: ', { ours: lookedAt }]),
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
    return { text: [{ link: piece.id }, ': ', { ours: piece.shows }, ...place] };
  });
  const more = against.length > MOST_EXAMPLES ? [{ text: `and ${against.length - MOST_EXAMPLES} more` }] : [];
  return { ...ours(gap ?? ''), below: [...shown, ...more] };
}

/** Returns one entry for each piece; probes with their transcript. */
function evidenceItem(piece: Evidence, shown: Set<string>): Item {
  const { id, supports, shows } = piece;
  const head = [{ mark: supports ? 'implemented' : 'missing' } as const, ` ${id} `, { ours: shows }];
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
