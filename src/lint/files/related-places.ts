/** The ends of the related places of findings, of which their rule states only the start. */

import type { RelatedPlace, Span } from '../text/finding.js';
import type { LintFile } from './files.js';

/** Returns a place with its end: the end of the permission rule that starts there, or else of the word there. */
export function completer(byPath: ReadonlyMap<string, LintFile>): (place: RelatedPlace) => Span {
  const starts = new Map<string, ReadonlyMap<string, Span>>();
  const rulesOf = (file: LintFile) => {
    const known = starts.get(file.path) ?? new Map(file.rules.map(({ span }) => [`${span.line}:${span.column}`, span]));
    starts.set(file.path, known);
    return known;
  };
  return ({ file: path, line, column, endLine, endColumn }) => {
    if (endLine !== undefined && endColumn !== undefined) return { file: path, line, column, endLine, endColumn };
    const file = byPath.get(path);
    if (file === undefined) return { file: path, line, column, endLine: line, endColumn: column + 1 };
    const span = rulesOf(file).get(`${line}:${column}`) ?? file.source.wordSpan({ line, column });
    return { ...span, file: path, line, column };
  };
}
