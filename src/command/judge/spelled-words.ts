/** The words of a command by their meaning, so that rules that ask or deny apply to every spelling. */
import type { ShellWord } from '../../shell/syntax/types.js';
import type { Evaluation } from '../grammar/evaluation.js';
import { tableOf } from '../grammar/lookup.js';
import type { Command } from '../model/command.js';
import { newJudgement } from './evaluate.js';
import { readWords } from './options.js';

export interface SpelledWords {
  /** The command and its subcommands under their main names: `npm install` for `npm i`. */
  readonly path: readonly string[];
  /** The main names of the grammar that was used, which other commands may share. */
  readonly table: readonly string[];
  /** Each option under one name for all its spellings, with the values it is given; null for a value that cannot be analysed. */
  readonly options: ReadonlyMap<string, readonly (string | null)[]>;
  /** Long options that the grammar does not know: probably abbreviations. */
  readonly unknown: readonly string[];
  readonly operands: readonly (string | null)[];
  /** A word that cannot be analysed may contain another option. */
  readonly open: boolean;
}

/** The main name of a command: `pip` for `pip3`. */
export function firstName(name: string): string {
  const table = tableOf(name);
  return table === null || table.likewise.includes(name) ? name : (table.words[0] ?? name);
}

/** The words of a command as its grammar reads them; null if it has no grammar, or none for the subcommand. */
export function spelledWords({ name, invocation }: Pick<Command, 'name' | 'invocation'>): SpelledWords | null {
  const words = invocation.argv;
  const root = name === null ? null : tableOf(name);
  if (name === null || root === null) return null;
  const judgement = newJudgement(invocation, root);
  if (!readWords(judgement) && judgement.table.subcommand !== null && words.length > 1) return null;
  return {
    path: pathOf(judgement, name),
    table: judgement.table.words,
    options: optionsOf(judgement),
    unknown: words.flatMap(({ value }) => {
      const [, option] = /^(--[a-z][\w-]*)(?:=|$)/.exec(value ?? '') ?? [];
      return option === undefined || judgement.table.options.has(option) ? [] : [option];
    }),
    operands: judgement.operands.map(({ word }) => word.value),
    open: judgement.issues.some(({ code }) => code === 'word/may-become-option'),
  };
}

function pathOf({ table, called }: Evaluation, name: string): readonly string[] {
  const path = [firstName(name), ...table.words.slice(1)];
  return called !== undefined && table.likewise.includes(called) ? [...path.slice(0, -1), called] : path;
}

function optionsOf({ table, given, values }: Evaluation): SpelledWords['options'] {
  const places = new Map(values.map(({ option, index, word }) => [`${index} ${option}`, word.value]));
  const found = new Map<string, (string | null)[]>();
  for (const { rule, spelling, index } of given) {
    const value = [index, index + 1].map((at) => places.get(`${at} ${spelling}`)).find((one) => one !== undefined);
    for (const one of rule.means.length > 0 ? rule.means : [spelling]) {
      const key = table.options.same(one);
      const known = found.get(key) ?? [];
      if (value !== undefined) known.push(value);
      found.set(key, known);
    }
  }
  return found;
}

/** A literal word. */
export function literalWord(value: string): ShellWord {
  return { text: value, value, span: { start: 0, end: 0 }, glob: false, tilde: false, literalPrefix: value };
}
