/** What a word that only the shell can finish may become. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { possiblePaths } from '../../../src/decide/flow/possible-paths.js';

const ODD = ['/home/me', '/home/a$b', '/home/a`b', "/home/it's", '/home/a"b', '/home/{a,b}', '/home/with space', '/home/a\\b'];
for (const home of ODD) {
  const place = { home, directory: `${home}/p` };
  test(`a home folder named ${home} is found in every spelling`, () => {
    for (const word of ['$HOME', '"$HOME"', '${HOME}', '~', '${HOME:?}', '$(dirname $PWD)'])
      assert.equal(possiblePaths(word, place), [home], word);
    assert.equal(possiblePaths('"${HOME}"/*', place), [`${home}/*`]);
    assert.equal(possiblePaths('$PWD/x', place), [`${home}/p/x`]);
    assert.equal(possiblePaths('/home/$USER', place), [`/home/${home.slice('/home/'.length)}`]);
  });
}

test('a file that lies beside or below what was cut off is not the folder of all homes', () => {
  const place = { home: '/home/me', directory: '/repo' };
  assert.equal(possiblePaths('"${HOME%/*}"', place), ['/home']);
  assert.equal(possiblePaths('"${HOME%/*}/me/repo/build"', place), ['/home/me/repo/build']);
  assert.equal(possiblePaths('"${FILE%/*}"', place), []);
});

test('a variable that nobody knows stays unknown', () => {
  assert.equal(possiblePaths('$HOME/$X', { home: '/home/me', directory: null }), []);
  assert.equal(possiblePaths('$PWD/x', { home: '/home/me', directory: null }), []);
});

test.run();
