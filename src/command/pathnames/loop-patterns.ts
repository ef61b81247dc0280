/** `for f in src/*.ts; do wc -l $f; done`: even without quotes, the variable is a file that the pattern matches, if facts confirm it. */
import type { DataOrigin, FoundNames, Invocation, PatternSource, ShellRedirection, ShellWord } from '../../shell/syntax/types.js';
import type { Command, Condition } from '../model/command.js';
import { isPlainName, isWildName } from './producers.js';

type PatternWord = ShellWord & { readonly origin: DataOrigin & { readonly source: PatternSource } };

/** What may follow the variable: more of a path, neither split nor expanded. */
const PATH = /^[\w@./-]*$/;

/**
 * The command with a verdict in which such variables are read as if quoted, on condition that no name would be split or expanded;
 * the command itself if it has no such variable, or if that proves nothing.
 * @param judge returns the command with other words
 */
export function withLoopPatterns(command: Command, judge: (invocation: Invocation) => Command): Command {
  const { invocation, verdict } = command;
  const { argv, redirections } = invocation;
  const hasPipedInput = redirections.some(
    ({ direction, target }) => direction === 'read' && target !== null && isPattern(target),
  );
  if (!verdict.known || !(hasPipedInput || (verdict.issues.length > 0 && argv.some(isPattern)))) return command;
  const conditions: Condition[] = [];
  const quoted = (word: ShellWord, at: number): ShellWord => {
    if (!isPattern(word)) return word;
    const { source, after } = word.origin;
    const { value, prefix } = source;
    conditions.push({ kind: 'plain-names', names: namesOf(word), hyphen: prefix === '', word: at });
    return { text: word.text, value: value + after, span: word.span, glob: true, tilde: false, literalPrefix: prefix };
  };
  const words = argv.map(quoted);
  const read = redirections.map(
    (one): ShellRedirection =>
      one.direction === 'read' && one.target !== null ? { ...one, target: quoted(one.target, -1) } : one,
  );
  const named = judge({ ...invocation, argv: words, redirections: read });
  if (named.verdict.issues.length > 0 || named.invocation.directory !== invocation.directory) return command;
  return {
    ...command,
    invocation: hasPipedInput ? { ...invocation, redirections: read } : invocation,
    verdict: { ...named.verdict, conditions: [...named.verdict.conditions, ...conditions] },
  };
}

function isPattern(word: ShellWord): word is PatternWord {
  const { origin } = word;
  if (origin?.source.kind !== 'pattern' || origin.before !== '' || !PATH.test(origin.after)) return false;
  const { value, prefix } = origin.source;
  return isPlainName(value) && !isWildName(prefix) && !/^[~:-]/.test(value);
}

/** Where the names that the pattern matches are: in one directory, or anywhere below it. */
function namesOf({ origin, span }: PatternWord): FoundNames {
  const { value, prefix } = origin.source;
  const root: ShellWord = { text: value, value, span, glob: true, tilde: false, literalPrefix: prefix };
  const inFolder = !/[*?[(].*\/./.test(value.replace(/\/+$/, ''));
  return { roots: [root], bare: prefix === '', split: true, many: false, expanded: true, from: [inFolder ? 'folder' : 'tree'] };
}
