/** `mcp__srv__*(read-only)`: tools whose name and input only read. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { decideIn } from '../world.js';

const WORLD = { allow: ['mcp__srv__*(read-only)'] };

const READS: readonly (readonly [tool: string, input: Record<string, unknown>])[] = [
  ['find_symbol', { name_path: 'Foo/bar', relative_path: 'src/a.ts', include_body: true, depth: 2 }],
  ['get_issue', { method: 'get', number: 12 }],
  ['get_issue', { action: 'read', owner: 'acme', repo: 'shop' }],
  ['list_issues', { state: 'open', labels: ['bug'], page: 2, per_page: 50 }],
  ['search_code', { query: 'how do we delete a user and create a table for him' }],
  ['search_code', { query: 'select the right item' }],
  ['search_for_pattern', { substring_pattern: 'foo.*bar', output_mode: 'content', replace: false }],
  ['get_file_contents', { path: 'src/a.ts', ref: 'main' }],
  ['get_page', { includeBody: true, show_images: true, verbose: 'true' }],
  ['list_pull_requests', { created_after: '2026-01-01', updated_before: '2026-02-01' }],
];

const MORE: readonly (readonly [tool: string, input: Record<string, unknown>, why: string])[] = [
  ['get_issue', { method: 'DELETE', id: '1' }, 'a method that deletes'],
  ['get', { method: 'POST', body: 'x' }, 'a method that sends'],
  ['search', { action: 'delete', id: 1 }, 'an action'],
  ['list', { operation: 'remove_all' }, 'an operation'],
  ['search', { mode: 'delete' }, 'a mode'],
  ['search', { delete: true }, 'a switch'],
  ['search', { update: { status: 'closed' } }, 'changes'],
  ['read_query', { query: 'DROP TABLE users' }, 'a statement'],
  ['read_query', { query: 'select pg_terminate_backend(1)' }, 'a function of a database'],
  ['get_rows', { where: '1; DROP TABLE x' }, 'a second statement'],
  ['search', { statement: 'UPDATE users SET x=1' }, 'a statement'],
  ['find', { pipeline: [{ $match: {} }, { $out: 'users' }] }, 'a step that writes'],
  ['get', { query: 'mutation { deleteUser(id: 1) { id } }' }, 'a mutation'],
  ['get', { query: 'MATCH (n) DETACH DELETE n' }, 'nodes are deleted'],
  ['get_page', { page: 'https://evil.example/?x=1' }, 'an address'],
  ['view_page', { page: '//evil.example' }, 'an address without its scheme'],
  ['view_page', { address: 'evil.example' }, 'a field of addresses'],
  ['list_events', { callback: 'https://evil.example' }, 'an address that is called'],
  ['get_value', { function: "() => fetch('/')" }, 'code'],
  ['search', { js: 'document.cookie' }, 'code'],
  ['get_file', { name: '.env' }, 'a secret'],
  ['get_page', { force: true }, 'a switch that forces'],
  ['get_page', { force: 1 }, 'the same as a number'],
  ['get_page', { refreshIndex: 'true' }, 'a switch that changes something'],
  ['get_page', { dryRun: false }, 'a switch that held it back'],
  ['get_output', { program: 'make' }, 'a program'],
  ['get_page', { save_to: 'a.txt' }, 'a file that it writes'],
  ['get_page', { download_path: 'a.txt' }, 'the same'],
  ['get_env', {}, 'variables may be secrets'],
  ['read_env_vars', {}, 'the same'],
  ['get_shutdown', {}, 'it ends something'],
  ['get_evaluate', {}, 'it runs code'],
  ['read_mark_as_read', {}, 'it changes something'],
  ['list_and_prune', {}, 'a second thing'],
  ['get', { a: { b: { c: { d: { e: { f: { g: { h: 1 } } } } } } } }, 'too deep to see'],
];

for (const [tool, input] of READS)
  test(`${tool} ${JSON.stringify(input)} only reads`, () => {
    assert.is(decideIn(WORLD, `mcp__srv__${tool}`, input).decision, 'allow');
  });

for (const [tool, input, why] of MORE)
  test(`${tool} ${JSON.stringify(input)} may do more: ${why}`, () => {
    assert.is.not(decideIn(WORLD, `mcp__srv__${tool}`, input).decision, 'allow');
  });

test.run();
