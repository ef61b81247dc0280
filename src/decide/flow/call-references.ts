/** All paths that a call touches: of its tool's input and of its commands. */
import type { Subject } from '../../call/tool-call.js';
import { type PathReference, subjectReference } from '../place/path-references.js';
import type { Place } from '../place/place.js';
import type { CallAnalysis } from './analysis.js';
import { collectReferences } from './references.js';

/** Every path that a call's tool input names, then every path that its commands touch. */
export function pathReferences(analysis: CallAnalysis, place: Place): PathReference[] {
  const references: PathReference[] = [];
  for (const subject of analysis.subjects.subjects)
    if (subject.kind === 'path') references.push(subjectReference(subject, place, analysis.filter));
  for (const { tree, given } of [...analysis.lines, ...analysis.deletions]) {
    for (const command of tree.commands) collectReferences(command, place, references);
    for (const command of given) collectReferences(command, place, references);
  }
  return references;
}

/** Paths that may be meant in fields whose names do not tell, and in the command lines there: they count for denials and questions only. */
export function inferredReferences({ subjects, inferredLines }: CallAnalysis, place: Place): PathReference[] {
  const references = subjects.telling.flatMap((subject) => inferredPaths(subject, place));
  for (const { tree, given } of inferredLines)
    for (const command of [...tree.commands, ...given]) collectReferences(command, place, references);
  return references;
}

/** What the tool does with such a path is its own secret: one that may be written may be read as well. */
export function inferredPaths(subject: Subject, place: Place): readonly PathReference[] {
  if (subject.kind !== 'path') return [];
  const read = subjectReference({ ...subject, access: 'read' }, place);
  return subject.access === 'write' ? [{ ...read, access: 'write', assumed: true }, read] : [read];
}
