/** MCP tools that list names of files, and nothing of what is in them. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { subjectsByName } from '../../src/call/mcp-subjects.js';

const ROWS: readonly (readonly [tool: string, input: Record<string, unknown>, access: string, why: string])[] = [
  ['find_file', { file_mask: '*.ts', relative_path: '.' }, 'list', 'names'],
  ['list_dir', { relative_path: '.', recursive: true }, 'list', 'names'],
  ['listDirectory', { path: '.' }, 'list', 'the same in one word'],
  ['list_allowed_directories', { path: '.' }, 'list', 'names'],
  ['directory_tree', { path: '.' }, 'list', 'names'],
  ['search_files', { path: '.', pattern: 'x' }, 'search', 'some servers look into the files'],
  ['find_files', { path: '.', contains_text: 'x' }, 'search', 'what is in them'],
  ['find_file', { path: '.', preview: true }, 'search', 'shows what is in them'],
  ['find_and_read_file', { path: '.' }, 'search', 'more words'],
  ['list_and_delete_files', { path: '.' }, 'write', 'it deletes'],
  ['find_symbol', { path: '.' }, 'search', 'something in the files'],
];

for (const [tool, input, access, why] of ROWS)
  test(`${tool} ${JSON.stringify(input)}: ${access}, ${why}`, () => {
    const found = subjectsByName(tool, input).subjects.find(({ kind }) => kind === 'path');
    assert.is(found?.access, access);
  });

test.run();
