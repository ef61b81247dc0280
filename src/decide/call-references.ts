/** All paths that a call touches: of its tool's input and of its commands. */
import type { CallAnalysis } from './analysis.js';
import { collectReferences } from './command-references.js';
import { type PathReference, subjectReference } from './path-references.js';
import type { Place } from './place.js';

/** Every path that a call's tool input names, then every path that its commands touch. */
export function pathReferences(analysis: CallAnalysis, place: Place): PathReference[] {
  const references: PathReference[] = [];
  for (const subject of analysis.subjects.subjects)
    if (subject.kind === 'path') references.push(subjectReference(subject, place));
  for (const { tree, given } of analysis.lines) {
    for (const command of tree.commands) collectReferences(command, place, references);
    for (const command of given) collectReferences(command, place, references);
  }
  return references;
}
