/** The evidence of a control as Markdown: one entry each, probes with their transcript. */
import type { Evidence, Place, ProbeEvidence } from '../../audit/model/report.js';
import { block, code, plain } from '../printing/markdown.js';

/**
 * All of it, in order; the command line of a hook is shown once, where it is first asked.
 * @param shown places of hooks that were shown before; those that are shown now are added
 */
export function evidenceAsMarkdown(evidence: readonly Evidence[], shown: Set<string>): string {
  return `${evidence
    .map((piece) => entry(piece, shown))
    .join('')
    .trimEnd()}\n`;
}

function entry(piece: Evidence, shown: Set<string>): string {
  const head = `- ${piece.supports ? '✅' : '❌'} ${piece.id} ${plain(piece.shows)}`;
  if (piece.kind === 'file') return `${head} ${place(piece.place)}: ${code(piece.excerpt)}\n`;
  if (piece.kind === 'setting')
    return `${head} ${code(`${piece.key}: ${piece.value}`)}, ${piece.place === null ? 'the default' : place(piece.place)}\n`;
  if (piece.kind === 'scan') {
    const files = piece.files.map(({ file, digest }) => `  - ${code(file)} ${digest === null ? 'not there' : digest}\n`);
    return `${head} Looked for ${plain(piece.lookedFor)} in:\n${files.join('')}`;
  }
  if (piece.kind === 'decision') return `${head} ${code(piece.message)} Ask again: ${code(piece.command)}\n`;
  if (piece.kind === 'check') {
    const fix = piece.fix === null ? '' : ` Fix: ${code(piece.fix)}.`;
    return `${head}${fix} Check again: ${code(piece.command)}\n`;
  }
  return `${head}\n\n${indented(block(transcript(piece, shown)))}\n`;
}

function place({ file, line, digest }: Place): string {
  return `${code(`${file}:${line}`)} ${digest}`;
}

function transcript(probe: ProbeEvidence, shown: Set<string>): string[] {
  const at = `${probe.place.file}:${probe.place.line}`;
  const lines = shown.has(at) ? [`$ as above (${at})`] : [`$ ${probe.command}`];
  shown.add(at);
  lines.push(`< ${probe.payload}`);
  for (const name of ['stdout', 'stderr'] as const)
    if (probe[name] !== '') lines.push(...probe[name].split('\n').map((line) => `${name}: ${line}`));
  const end = probe.timedOut ? 'no answer' : probe.signal === null ? `exit code ${probe.exitCode}` : `killed by ${probe.signal}`;
  return [...lines, `${end} after ${probe.milliseconds} ms; expected: ${probe.expected}`];
}

/** A block as part of a list entry. */
function indented(text: string): string {
  return text.replace(/^(?=.)/gm, '  ');
}
