/** Rules about the arguments of an MCP tool that might allow a call: what it works on, whatever it says there. */
import { fieldKind } from '../../call/mcp-subjects.js';
import { type ArgumentPattern, printArguments, readArguments } from '../../rule/pattern/argument-pattern.js';
import { hasWildcard } from '../../rule/pattern/wildcard.js';
import { certainValues, foldKey } from '../call/field-values.js';
import type { CallAnalysis } from '../flow/analysis.js';
import { subjectReference } from '../place/path-references.js';
import { resolvePath } from '../place/paths.js';
import type { Place } from '../place/place.js';
import type { Facts } from '../ruling/facts.js';
import { type Choice, offered } from './offer.js';
import { pathOffers } from './paths.js';
import { isPrintable } from './text.js';

/** Fields of an input, and of the objects in it, that are looked at; a longer value makes no rule that anyone reads. */
const MOST_FIELDS = 64;
const LONGEST_VALUE = 100;

/** Fields that name what a call works on. */
const TARGET =
  /^(?:owner|org|organi[sz]ation|repo|repository|team|workspace|project|board|space|site|channel|conversation|database|db|schema|table|collection|dataset|bucket|namespace|cluster|context|region|account|tenant|environment|env|stage|branch|base|service|app|application|queue|topic|index|calendar|list|group|guild|server)(?:id|ids|name|key|slug)?$/;

/** The rule that names folders and hosts, then the one that names files and addresses; none if no field says what the call works on. */
export function argumentOffers(analysis: CallAnalysis, facts: Facts, place: Place): Choice {
  const { canonical } = analysis.tool;
  const fields = fieldsOf(analysis.input).flatMap((field): (readonly ArgumentPattern[])[] => {
    const patterns = patternsFor(field, analysis, facts, place);
    return patterns.length === 0 ? [] : [patterns];
  });
  const ranks = [0, 1].map((rank) => fields.flatMap((patterns) => patterns[Math.min(rank, patterns.length - 1)] ?? []));
  return ranks.flatMap((patterns) => {
    const pattern = printArguments(patterns);
    const read = readArguments({ tool: canonical, pattern });
    // Only what is read again as it was meant.
    if (read === null || 'code' in read || printArguments(read) !== pattern) return [];
    return offered(canonical, pattern, 'arguments', 'arguments', `${canonical} with ${pattern} and any other input`);
  });
}

/** The names of the fields, those of objects dotted. */
function fieldsOf(input: Readonly<Record<string, unknown>>): readonly string[] {
  const inner = (key: string, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.keys(value).map((one) => `${key}.${one}`)
      : [key];
  return Object.entries(input)
    .slice(0, MOST_FIELDS)
    .flatMap(([key, value]) => inner(key, value))
    .slice(0, MOST_FIELDS);
}

function patternsFor(field: string, analysis: CallAnalysis, facts: Facts, place: Place): readonly ArgumentPattern[] {
  const [value, ...others] = certainValues(analysis.input, field) ?? [];
  if (value === undefined || others.length > 0) return [];
  const text = String(value);
  const said = (pattern: string): ArgumentPattern => ({ field, pattern, quoted: value === 'true' || value === 'false' });
  const exact = text !== '' && text.length <= LONGEST_VALUE && isPrintable(text) && !hasWildcard(text) ? [said(text)] : [];
  const subject = analysis.subjects.subjects.find((one) => one.field === field && one.value === text);
  switch (fieldKind(field)) {
    case 'path': {
      if (subject?.kind !== 'path') return [];
      const path = resolvePath(subjectReference(subject, place), facts);
      return pathOffers('Edit', path, place.home).flatMap(({ rule }) =>
        rule.rule.pattern === null ? [] : [said(rule.rule.pattern)],
      );
    }
    case 'url': {
      const { origin = '' } = URL.canParse(text) ? new URL(text) : {};
      return /^https?:\/\/[a-z0-9.-]+(?::\d+)?$/.test(origin) ? [said(`${origin}/*`), ...exact] : exact;
    }
    case 'command':
    case 'host':
      return exact;
    case null:
      return TARGET.test(foldKey(field.slice(field.lastIndexOf('.') + 1))) ? exact : [];
  }
}
