/** Specifiers of Bash rules (`x:*`, wildcards and exact commands), and the commands that they match, as a language. */
import { type Language, literal, optional, type Row, RUN } from '../../rule/inclusion/language.js';
import { type ClaudeRule, dead, type Reach } from './rule.js';

export function bashReach(specifier: string): Reach {
  if (specifier.endsWith(':*')) return prefixReach(specifier.slice(0, -2));
  if (hasStar(specifier)) {
    const text = specifier.trim();
    if (/^[\s*]+$/.test(text)) return { kind: 'everything' };
    if (text.startsWith('^')) return dead('regular-expression', 'patterns are no regular expressions: only * is special');
    return { kind: 'wildcard', text };
  }
  if (specifier.trim() !== specifier)
    return dead('space', 'a command never begins or ends with white space', `Bash(${specifier.trim()})`);
  return { kind: 'exact', text: specifier };
}

function prefixReach(words: string): Reach {
  if (words.trim() === '') return dead('colon-star', 'no words stand before ":*"');
  if (words.trimEnd() !== words)
    return dead('colon-star', 'the space before ":*" belongs to the words', `Bash(${words.trim()}:*)`);
  if (words.trimStart() !== words) return dead('space', 'a command never begins with white space', `Bash(${words.trim()}:*)`);
  if (wordsOf(words).some((word, index) => word === '*' || word.includes(':*') || (index === 0 && hasStar(word))))
    return dead('literal-star', '":*" at the end makes every other "*" a plain character', insteadOfStars(words));
  return { kind: 'prefix', text: words };
}

/** A star inside a later word may be one that the shell expands: `ls *.ts`. */
function wordsOf(text: string): readonly string[] {
  return text.split(/\s+/);
}

function insteadOfStars(words: string): string | null {
  return words.includes(':*') ? null : `Bash(${words} *)`;
}

/** Whether there is a star without a preceding backslash. */
function hasStar(text: string): boolean {
  return tokensOf(text).includes('*');
}

/** Splits into characters, `*`, and backslashes with the escaped character. */
function tokensOf(text: string): readonly string[] {
  return text.match(/\\[*\\]|[\s\S]/gu) ?? [];
}

/** Returns the texts of single commands that a rule matches; null for a rule that is not about a text. */
export function commandLanguage(reach: Reach): Language | null {
  switch (reach.kind) {
    case 'exact':
      return [literal(reach.text)];
    case 'prefix':
      return [[...literal(reach.text), ...optional([...literal(' '), ...RUN])]];
    case 'wildcard':
      return [wildcardRow(tokensOf(reach.text))];
    case 'everything':
      return [RUN];
    default:
      return null;
  }
}

/** Returns the commands that a rule for the shell, or for everything, is about; empty for any other rule. */
export function bashLanguages({ canonical, reach }: ClaudeRule): readonly Language[] {
  const language = canonical === 'Bash' || canonical === '*' ? commandLanguage(reach) : null;
  return language === null ? [] : [language];
}

/** ` *` at the end also matches the empty string if it is the only wildcard. */
function wildcardRow(tokens: readonly string[]): Row {
  const row = (part: readonly string[]) =>
    part.flatMap((token) => (token === '*' ? RUN : literal(token.length > 1 && token.startsWith('\\') ? token.slice(1) : token)));
  const only = tokens.filter((token) => token === '*').length === 1;
  if (!only || tokens.at(-1) !== '*' || tokens.at(-2) !== ' ') return row(tokens);
  return [...row(tokens.slice(0, -2)), ...optional([...literal(' '), ...RUN])];
}
