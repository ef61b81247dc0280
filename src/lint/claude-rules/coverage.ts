/** Whether one rule of Claude Code's settings covers another one completely; in case of doubt it does not. */
import { type Language, literal, type Row, RUN } from '../../rule/inclusion/language.js';
import { LanguageIndex } from '../../rule/inclusion/language-index.js';
import { decidesCommand } from './answer.js';
import { commandLanguage } from './bash.js';
import type { ClaudeEntry } from './entries.js';
import { pathLanguage } from './path.js';
import { matchesTool } from './read.js';

/** A rule that covers another one completely, and a call that both are about. */
export interface ClaudeCovering {
  readonly entry: ClaudeEntry;
  /** Empty when no such call is known. */
  readonly witness: string;
}

/** The kind of text that a rule is about, and which texts it matches. */
interface Subject {
  readonly kind: string;
  readonly language: Language;
}

/** Parts of a command line that are not matched by their text alone: Claude Code asks about these options of `find` whatever is allowed. */
export const COMPOUND = /[;&|<>`$\n\r(){}\\]|(?:^|\s)-(?:delete|exec|execdir|ok|okdir|fls|fprint)\b/;

/** At most this many examples of one set of rules are tested; later findings have none. */
const MOST_CONFIRMED = 200;

/** Rules of one effect against which other rules are compared. */
export class ClaudeCoverage {
  readonly #whole: ClaudeEntry[] = [];
  #left = MOST_CONFIRMED;
  readonly #byKind = new Map<string, LanguageIndex<ClaudeEntry>>();

  constructor(entries: readonly ClaudeEntry[]) {
    const tools = new Set<string>();
    for (const entry of entries) {
      if (coversTools(entry) && !tools.has(entry.tool)) {
        tools.add(entry.tool);
        this.#whole.push(entry);
      }
      const subject = subjectOf(entry);
      if (subject === null) continue;
      const index = this.#byKind.get(subject.kind) ?? new LanguageIndex<ClaudeEntry>();
      this.#byKind.set(subject.kind, index);
      index.add(subject.language, entry);
    }
  }

  /** Returns the first rule found that covers `inner` completely; null when no rule certainly does. Never returns `inner` itself. */
  covering(inner: ClaudeEntry): ClaudeCovering | null {
    if (inner.reach.kind === 'nothing' || inner.reach.kind === 'unread' || inner.reach.kind === 'parameter') return null;
    const whole = this.#whole.find((outer) => outer !== inner && coversAll(outer, inner));
    const subject = subjectOf(inner);
    for (const kind of subject === null ? [] : kindsFor(subject.kind, inner)) {
      const holder = subject === null ? null : (this.#byKind.get(kind)?.holderOf(subject.language, inner) ?? null);
      if (holder !== null && (kind === subject?.kind || holder.value.effect === 'deny'))
        return { entry: holder.value, witness: this.#confirmed(inner, holder.value, holder.witness) };
    }
    return whole === undefined ? null : { entry: whole, witness: '' };
  }

  /**
   * Returns a command that the wider rule really decides, and that the narrower one also decides if both have the same effect;
   * empty when none is known.
   */
  #confirmed(inner: ClaudeEntry, outer: ClaudeEntry, witness: string): string {
    if (inner.canonical !== 'Bash') return witness;
    const deciding = inner.effect === outer.effect ? [inner, outer] : [outer];
    const isExample = (command: string) => this.#left-- > 0 && deciding.every((one) => decidesCommand(one, command));
    return [witness, `${witness.trimEnd()} x`].find(isExample) ?? '';
  }
}

/** Whether the rule is about whole tools, except for MCP tools: those are compared by their names. */
function coversTools({ reach, tool }: ClaudeEntry): boolean {
  return reach.kind === 'everything' && !tool.startsWith('mcp__');
}

/** Bare names of file tools mean only these tools, while a rule with a pattern applies to others, too. */
function coversAll(outer: ClaudeEntry, inner: ClaudeEntry): boolean {
  if (inner.tool.includes('*') || inner.tool.startsWith('mcp__')) return false;
  if (outer.tool.includes('*')) return matchesTool(outer.tool, inner.canonical);
  if (outer.canonical !== inner.canonical || inner.reach.kind === 'path') return false;
  // `Bash(**)` allows only lines that can be parsed, `Bash` every line.
  if (outer.specifier !== null && inner.specifier === null && inner.effect === 'allow') return false;
  return inner.reach.kind !== 'everything' || outer.start < inner.start;
}

/** A deny rule for Read also prevents writing. */
function kindsFor(kind: string, { canonical, effect }: ClaudeEntry): readonly string[] {
  return canonical === 'Edit' && effect === 'allow' ? [kind, kind.replace('Edit', 'Read')] : [kind];
}

const subjects = new WeakMap<ClaudeEntry, Subject | null>();

/** Cached, since a rule is compared with rules of several effects. */
function subjectOf(entry: ClaudeEntry): Subject | null {
  const before = subjects.get(entry);
  if (before !== undefined) return before;
  const subject = subjectOfRule(entry);
  subjects.set(entry, subject);
  return subject;
}

function subjectOfRule({ reach, tool, canonical, effect, text }: ClaudeEntry): Subject | null {
  if (tool.startsWith('mcp__')) return reach.kind === 'everything' ? { kind: 'mcp', language: [mcpRow(tool)] } : null;
  switch (reach.kind) {
    case 'exact':
    case 'prefix':
    case 'wildcard': {
      if (canonical === 'Bash' && COMPOUND.test(text.slice(text.indexOf('(') + 1, -1))) return null;
      const language = commandLanguage(reach);
      return language === null ? null : { kind: canonical, language };
    }
    case 'path': {
      const language = pathLanguage(reach.pattern, reach.anchor, effect);
      return language === null ? null : { kind: `${canonical} ${reach.anchor}`, language };
    }
    case 'domain':
      return {
        kind: 'domain',
        language: [reach.host.split('*').flatMap((part, at) => [...(at > 0 ? RUN : []), ...literal(part)])],
      };
    default:
      return null;
  }
}

/** `mcp__srv` means all tools of the server, as does `mcp__srv__*`. */
function mcpRow(tool: string): Row {
  const row = tool.split('*').flatMap((part, at) => [...(at > 0 ? RUN : []), ...literal(part)]);
  return /^mcp__(?:(?!__).)+$/s.test(tool) && !tool.includes('*') ? [...row, ...literal('__'), ...RUN] : row;
}
