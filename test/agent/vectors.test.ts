/** Every row of the seeds' own vectors that speaks about agents. */
import { readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { checkFileWrite, checkMcpTool, checkShellCommand, validateToolPolicy } from '../../src/agent/allowlist.js';
import { envBool } from '../../src/agent/feature-flag.js';
import { isKebabCase, normalizeName } from '../../src/agent/name.js';

interface Vector {
  readonly kind: string;
  readonly input?: string;
  readonly lint_ok?: boolean;
  readonly expect: unknown;
  readonly agent: { name: string; tools?: string[]; mcp: string[]; shell?: string[] };
  readonly tool: string;
  readonly args?: Record<string, unknown>;
  readonly message?: string | null;
  readonly allow: string[];
  readonly root: string;
  readonly path: string;
  readonly exec: string[];
  readonly command: string;
}

const vectors: Vector[] = readFileSync('test/fixtures/vectors/seed-vectors.jsonl', 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line));

const checks: Readonly<Record<string, (vector: Vector) => void>> = {
  kebab: ({ input = '', expect, lint_ok }) => {
    assert.is(normalizeName(input), expect);
    assert.is(isKebabCase(input), lint_ok);
  },
  allowlist: ({ agent, tool, expect }) => assert.is(validateToolPolicy(agent, tool)?.code ?? null, expect),
  'env-bool': ({ input = '', expect }) => assert.is(envBool(input), expect),
  'mcp-tool': ({ agent, tool, args = {}, expect, message }) => {
    const refusal = checkMcpTool(agent, tool, args);
    assert.is(refusal === null, expect);
    if (message !== undefined) assert.is(refusal, message);
  },
  'fs-write': ({ allow, root, path, expect }) => assert.is(checkFileWrite(allow, root, path), expect),
  'shell-exec': ({ exec, command, expect }) => assert.is(checkShellCommand(exec, command), expect),
};

let count = 0;
for (const vector of vectors) {
  const check = checks[vector.kind];
  if (check === undefined) continue;
  count++;
  const what = vector.input ?? vector.command ?? vector.path ?? `${vector.agent.name ?? ''} ${vector.tool}`;
  test(`${vector.kind} ${count}: ${JSON.stringify(what)}`, () => check(vector));
}

test('no row was passed over', () => {
  assert.is(count, 16 + 6 + 10 + 6 + 6 + 3);
});

test.run();
