/** Rows of the seed vectors by kind. */
import { readFileSync } from 'node:fs';

export interface EvalRow {
  readonly kind: 'eval';
  readonly src: string;
  readonly rules: readonly {
    readonly tool: string;
    readonly pattern: string | null;
    readonly action: 'allow' | 'ask' | 'deny';
  }[];
  readonly default_mode: 'allow' | 'ask' | 'deny' | 'plan' | 'accept_edits';
  readonly tool: string;
  readonly input: Record<string, unknown>;
  readonly expect: 'allow' | 'ask' | 'deny';
}

export interface SafeGitRow {
  readonly kind: 'safe-git';
  readonly cmd: string;
  readonly expect: 'allow' | 'ask' | 'deny';
  readonly why: string;
}

/** All rows of one kind, in file order. */
export function seedRows<Row extends { readonly kind: string }>(kind: Row['kind']): Row[] {
  const lines = readFileSync('test/fixtures/vectors/seed-vectors.jsonl', 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Row).filter((row) => row.kind === kind);
}
