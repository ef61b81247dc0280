/** The list of mutants follows the code: each of them changes exactly one place of a source file. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';

const { mutants } = (await import(pathToFileURL(resolve('test/mutants/list.mjs')).href)) as {
  readonly mutants: readonly { readonly name: string; readonly file?: string; readonly from?: string }[];
};

for (const { name, file, from } of mutants) {
  if (file === undefined || from === undefined) continue;
  test(`${name}: ${file} holds the text to change once`, () => {
    assert.is(readFileSync(file, 'utf8').split(from).length - 1, 1);
  });
}

test('there are mutants to try', () => assert.ok(mutants.length > 50));

test.run();
