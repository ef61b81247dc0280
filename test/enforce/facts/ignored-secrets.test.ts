/** Which secrets ripgrep certainly passes over, from real folders. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ignoredReader } from '../../../src/enforce/facts/ignored-secrets.js';
import { withFiles } from '../scratch.js';

const GIT = { 'work/.git/HEAD': '' };

/** What is passed over in a search of `at`, where `work/.env` and `work/src/keys/a.pem` are secrets. */
function ignored(files: Readonly<Record<string, string>>, at = 'work', more: (folder: string) => void = () => {}) {
  return withFiles({ 'work/.env': '', 'work/src/keys/a.pem': '', ...files }, (folder) => {
    more(folder);
    const tree = join(folder, at);
    const secrets = ['work/.env', 'work/src/keys/a.pem'].map((one) => join(folder, one)).filter((one) => one.startsWith(tree));
    const around = { home: join(folder, 'home'), environment: {} };
    return ignoredReader({ [tree]: secrets }, around)(tree).map((one) => one.slice(folder.length + 6));
  });
}

const ENV = ['.env'];
const KEY = ['src/keys/a.pem'];
const rows: readonly (readonly [
  why: string,
  files: Readonly<Record<string, string>>,
  expected: readonly string[],
  at?: string,
])[] = [
  ['nothing is ignored', GIT, []],
  ['by its name', { ...GIT, 'work/.gitignore': '# all\n.env\n' }, ENV],
  ['by a pattern', { ...GIT, 'work/.gitignore': '.env*\n*.pem\r\n' }, [...ENV, ...KEY]],
  ['by its place', { ...GIT, 'work/.gitignore': '/.env\n/src/keys/a.pem\n' }, [...ENV, ...KEY]],
  ['with its folder', { ...GIT, 'work/.gitignore': 'keys/\n' }, KEY],
  ['with a folder above', { ...GIT, 'work/.gitignore': '/src\n' }, KEY],
  ['by a file in its own folder', { ...GIT, 'work/src/keys/.gitignore': '*\n' }, KEY],
  ['another name', { ...GIT, 'work/.gitignore': '.env.local\nenv\n/keys\nsrc/a.pem\n.ENV\n' }, []],
  ['a folder of that name', { ...GIT, 'work/.gitignore': '.env/\n' }, []],
  ['what programs read in different ways', { ...GIT, 'work/.gitignore': '.en[v]\n**/.env\n\\.env\n.env \n.e?v\n' }, []],
  ['outside of a repository', { 'work/.gitignore': '.env\n' }, []],
  ['below another repository', { ...GIT, 'work/.gitignore': '*.pem\n', 'work/src/.git/HEAD': '' }, []],
  ['above the repository', { ...GIT, '.gitignore': '.env\n' }, []],
  ['taken in again', { ...GIT, 'work/.gitignore': '.env\n!.env\n' }, []],
  ['taken in by a pattern', { ...GIT, 'work/.gitignore': '.env\n!.e*\n' }, []],
  ['taken in for ripgrep', { ...GIT, 'work/.gitignore': '.env\n', 'work/.ignore': '!.env\n' }, []],
  ['taken in above the repository', { ...GIT, 'work/.gitignore': '.env\n', '.rgignore': '!.env\n' }, []],
  ['its folder taken in', { ...GIT, 'work/.gitignore': '*.pem\n', 'work/src/.gitignore': '!keys/\n' }, []],
  ['another one taken in', { ...GIT, 'work/.gitignore': '.env*\n!.env.example\n' }, ENV],
  ['the ignored folder itself is searched', { ...GIT, 'work/.gitignore': 'keys/\n' }, [], 'work/src/keys'],
  ['the name counts there, too', { ...GIT, 'work/.gitignore': '*.pem\n' }, KEY, 'work/src/keys'],
  ['a folder above it is searched', { ...GIT, 'work/.gitignore': 'keys/\n' }, KEY, 'work/src'],
];
for (const [why, files, expected, at] of rows) test(`${why}: ${expected}`, () => assert.equal(ignored(files, at), expected));

test('a link is no ignored file, and behind one nothing is certain', () => {
  const files = { ...GIT, 'work/.gitignore': '*.pem\n' };
  const linked = (folder: string) => {
    mkdirSync(join(folder, 'other'));
    symlinkSync(join(folder, 'work'), join(folder, 'other/work'));
  };
  assert.equal(ignored(files, 'work', linked), KEY);
  withFiles(files, (folder) => {
    symlinkSync(join(folder, 'elsewhere.pem'), join(folder, 'work/a.pem'));
    const tree = join(folder, 'work');
    const around = { home: join(folder, 'home'), environment: {} };
    assert.equal(ignoredReader({ [tree]: [join(tree, 'a.pem')] }, around)(tree), []);
  });
});

test.run();
