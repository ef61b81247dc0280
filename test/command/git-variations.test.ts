/** Machine-made variations of every allowed git and gh example: one more word must never go unseen. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { CommandEntry, GrammarFile } from '../../src/command/grammar/file.js';
import { grammarFiles } from '../../src/command/grammar/lookup.js';
import type { OptionRule } from '../../src/command/grammar/option-rule.js';
import { type CommandTable, compileCommand } from '../../src/command/grammar/table.js';
import { judgeInvocation } from '../../src/command/judge/evaluate.js';
import type { Invocation, ShellWord } from '../../src/shell/syntax/types.js';
import { answerTo, readLine } from './invocation.js';

interface Allowed {
  readonly line: string;
  readonly invocation: Invocation;
  readonly table: CommandTable;
  /** Index of the first word after the subcommand. */
  readonly from: number;
}

const allowed = grammarFiles().flatMap(([name, file]) => (/\/(git|gh)$/.test(name) ? examplesOf(file) : []));

test('there are examples to vary', () => assert.ok(allowed.length > 100));

for (const one of allowed) {
  test(`unknown options are seen: ${one.line}`, () => {
    for (const word of ['--zz-unknown', '-Ω', '--zz-unknown=x', '-Ωx', '---'])
      for (const at of places(one, false)) assertSeen(one, at, word);
  });
  test(`rated options are seen at every place: ${one.line}`, () => {
    for (const [spelling, rule] of rated(one.table))
      for (const at of places(one, true)) for (const word of spellingsWithValue(spelling, rule)) assertSeen(one, at, word);
  });
  test(`no abbreviation passes: ${one.line}`, () => {
    for (const [spelling] of rated(one.table)) {
      if (!spelling.startsWith('--')) continue;
      for (let length = 3; length < spelling.length; length += 1) {
        const short = spelling.slice(0, length);
        if (one.table.options.has(short)) continue;
        for (const at of places(one, true)) {
          assertSeen(one, at, short);
          assertSeen(one, at, `${short}=x`);
        }
      }
    }
  });
}

function assertSeen(one: Allowed, at: number, text: string): void {
  const { argv } = one.invocation;
  const varied = { ...one.invocation, argv: [...argv.slice(0, at), wordOf(text), ...argv.slice(at)] };
  const answer = answerTo(judgeInvocation(varied, argv[0]?.value ?? ''));
  assert.is.not(answer, 'allow', varied.argv.map(({ text: written }) => written).join(' '));
}

/**
 * Where a word may be put in: after the subcommand and before `--` (or the first operand, where that ends options); with `everywhere` also where it becomes the value of an
 * option (then it looks like an option, which is noted as well).
 */
function places({ invocation, from, table }: Allowed, everywhere: boolean): readonly number[] {
  const { argv } = invocation;
  const isEnd = ({ value }: ShellWord, index: number) =>
    value === '--' || (table.style === 'stop' && index >= from && !value?.startsWith('-'));
  const found = argv.findIndex(isEnd);
  const end = found < 0 ? argv.length : found;
  return everywhere ? Array.from({ length: end - from + 1 }, (_, offset) => from + offset) : [end];
}

function rated(table: CommandTable): readonly (readonly [string, OptionRule])[] {
  return [...table.options].filter(([, rule]) => rule.rating !== 'harmless');
}

function spellingsWithValue(spelling: string, rule: OptionRule): readonly string[] {
  if (rule.arity === 'none') return [spelling];
  return spelling.startsWith('--') ? [spelling, `${spelling}=x`] : [spelling, `${spelling}x`];
}

function wordOf(text: string): ShellWord {
  return { text, value: text, span: { start: 0, end: 0 }, glob: false, tilde: false, literalPrefix: text };
}

/** Every allowed example of one invocation, with the table that judges it. */
function examplesOf(file: GrammarFile): readonly Allowed[] {
  return Object.entries(file.commands).flatMap(([name, entry]) =>
    linesOf(entry).flatMap((line) => {
      const [invocation, ...others] = readLine(line).invocations;
      if (invocation === undefined || others.length > 0) return [];
      return [{ line, invocation, ...tableFor(compileCommand(file, [name], entry), invocation) }];
    }),
  );
}

function linesOf(entry: CommandEntry): readonly string[] {
  return [...(entry.allow ?? []), ...Object.values(entry.subcommands ?? {}).flatMap(linesOf)];
}

/** The deepest subcommand that the words name. */
function tableFor(table: CommandTable, { argv }: Invocation): { readonly table: CommandTable; readonly from: number } {
  let deepest = table;
  let from = 1;
  for (const [index, { value }] of argv.entries()) {
    const next = index === 0 || value === null ? null : (deepest.subcommand?.(value) ?? null);
    if (next === null) continue;
    deepest = next;
    from = index + 1;
  }
  return { table: deepest, from };
}

test.run();
