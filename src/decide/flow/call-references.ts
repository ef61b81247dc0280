/** All paths that a call touches, from its tool input and its commands. */
import type { Subject } from '../../call/tool-call.js';
import { type PathReference, subjectReference } from '../place/path-references.js';
import type { Place } from '../place/place.js';
import type { CallAnalysis } from './analysis.js';
import { collectReferences } from './references.js';

/** Returns every path that the tool input names, followed by every path that its commands touch. */
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

/** Returns possible paths in fields whose names do not identify them, and in command lines there. They can only deny and ask. */
export function inferredReferences({ subjects, inferredLines }: CallAnalysis, place: Place): PathReference[] {
  const references = subjects.telling.flatMap((subject) => inferredPaths(subject, place));
  for (const { tree, given } of inferredLines)
    for (const command of [...tree.commands, ...given]) collectReferences(command, place, references);
  return references;
}

/** How the tool uses such a path is unknown: a path that may be written may also be read. */
export function inferredPaths(subject: Subject, place: Place): readonly PathReference[] {
  if (subject.kind !== 'path') return [];
  const read = subjectReference({ ...subject, access: 'read' }, place);
  return subject.access === 'write' ? [{ ...read, access: 'write', assumed: true }, read] : [read];
}
