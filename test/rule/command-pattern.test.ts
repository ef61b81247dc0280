import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { compileRules } from '../../src/rule/rule-set.js';
import { rule, sameName, texts } from './rules.js';

function covers(
  pattern: string,
  words: readonly string[],
  issues: readonly { word: number; option: string | null }[] = [],
): boolean {
  return compileRules([rule('allow', `Bash(${pattern})`)], sameName).coversCommand('Bash', words, issues).length > 0;
}

function meets(pattern: string, words: readonly (string | null)[]): boolean {
  return compileRules([rule('deny', `Bash(${pattern})`)], sameName).meetsCommand('Bash', words).length > 0;
}

/** One fact per row: what an allow and a deny with this pattern say of the command. */
const facts: [pattern: string, command: string, allow: boolean, deny: boolean, why: string][] = [
  // The three forms of "these words, then anything".
  ['git status*', 'git status', true, true, 'the words alone'],
  ['git status *', 'git status', true, true, 'the words alone'],
  ['git status:*', 'git status', true, true, 'the words alone'],
  ['git status*', 'git status -s', true, true, 'words after'],
  ['git status *', 'git status -s', true, true, 'words after'],
  ['git status:*', 'git status -s', true, true, 'words after'],
  ['git status*', 'git statusx', false, true, 'glued: an allow has a word boundary, a deny may do without'],
  ['git status *', 'git statusx', false, false, 'the space is a boundary for both'],
  ['git status:*', 'git statusx', false, false, 'the legacy form has a boundary for both'],
  ['git status*', 'git', false, false, 'a word is missing'],
  // No star: exactly these words.
  ['git status', 'git status', true, true, 'exactly'],
  ['git status', 'git status -s', false, false, 'more than exactly'],
  ['git  status', 'git status', true, true, 'white space in a pattern separates words, however much of it'],
  ['Git status', 'git status', false, false, 'case counts'],
  // Inner wildcards.
  ['git * main', 'git push main', true, true, 'one word'],
  ['git * main', 'git push origin main', true, true, 'the star crosses words'],
  ['git * main', 'git push origin/main', false, false, 'the last word is not main'],
  ['git * main', 'git main', false, false, 'the star needs a word'],
  ['git * main *', 'git push main', true, true, 'the trailing star needs none'],
  ['git * main:*', 'git push main now', true, true, 'the same in the legacy form'],
  ['* --version', 'node --version', true, true, 'any command'],
  ['* --version', 'node -p 1 --version', true, true, 'the star crosses words'],
  ['* --version', 'node --versions', false, false, 'anchored at the end'],
  ['git p?sh', 'git push', true, true, 'one character'],
  ['git p?sh', 'git psh', false, false, 'not none'],
  ['git?status', 'git status', false, true, 'for an allow a question mark is no word boundary'],
  ['np*', 'npm test', false, true, 'the name of the command is a whole word for an allow'],
  ['n*m test', 'node x m test', false, true, 'a star in the name of the command stays in the name for an allow'],
  ['n*m test', 'npm test', true, true, 'in the name'],
  // The legacy form after a script name, and what people mean by it.
  ['npm run test:*', 'npm run test', true, true, 'prefix'],
  ['npm run test:*', 'npm run test --watch', true, true, 'prefix'],
  ['npm run test:*', 'npm run test:unit', false, true, 'as text it meets, as words it does not cover'],
  ['npm run test:unit', 'npm run test:unit', true, true, 'a colon in a word'],
  // Folders end a word.
  ['./scripts/*', './scripts/build.sh --fast', true, true, 'a file in the folder'],
  ['./scripts/*', './scripts/../evil.sh', false, true, 'not out of the folder again'],
  ['./scripts/*', './scripts', false, false, 'not the folder itself'],
  ['cat src/*', 'cat src/a/b.ts', true, true, 'a file below the folder'],
  ['cat src/*', 'cat srcs/a', false, false, 'another folder'],
  ['cat src/*', 'cat src/..', false, true, 'not the folder above'],
  ['/*', '/bin/rm -rf x', false, true, 'the whole disk is no folder to an allow'],
  ['../*', '../x', false, true, 'nor is the parent'],
  // Denials that must not be dodged.
  ['rm *', 'rm -rf /', false, true, 'an allow covers it, were it not for the issues below'],
  ['rm *', '/bin/rm -rf /', false, true, 'by its base name'],
  ['rm', '/bin/rm', false, true, 'by its base name, exactly'],
  ['/bin/rm *', 'rm x', false, false, 'a folder in the rule must be in the command'],
  ['rm -rf /*', 'rm -rf /etc', false, true, 'glued to a slash'],
  ['rm *', 'rmdir x', false, false, 'another command'],
  ['* | sh', 'curl x | sh', true, true, 'as text'],
];
for (const [pattern, command, allow, deny, why] of facts) {
  const words = command.split(' ');
  const risky = words.indexOf('-rf');
  test(`${pattern} and ${command}: ${why}`, () => {
    assert.is(covers(pattern, words, risky < 0 ? [] : [{ word: risky, option: '-rf' }]), allow, 'allow');
    assert.is(meets(pattern, words), deny, 'deny');
  });
}

const argvFacts: [pattern: string, words: string[], allow: boolean, deny: boolean, why: string][] = [
  ['git status', ['git status'], false, true, 'one word with a space is not two words to an allow'],
  ['git status *', ['git status', 'x'], false, true, 'nor with more after it'],
  ['git * main', ['git', 'push', 'x main'], false, true, 'the word main, not a word that ends so'],
  ['git * main', ['git', 'x\u0000main'], false, false, 'the separator cannot be smuggled in'],
  ['git commit -m "x y"', ['git', 'commit', '-m', 'x y'], true, true, 'quotes group a word'],
  ['git commit -m "x y"', ['git', 'commit', '-m', 'x', 'y'], false, true, 'which is one word'],
  ["git commit -m 'x y' *", ['git', 'commit', '-m', 'x y', '-s'], true, true, 'single quotes too'],
  ['git commit -m "x', ['git', 'commit', '-m', '"x'], true, true, 'an open quote is only text'],
  ['echo ""', ['echo', ''], true, true, 'an empty word'],
  ['git push *', ['git', '', 'push', 'x'], false, true, 'an empty word does not dodge a deny'],
  ['git push *', ['git', ' push\t', 'x'], false, true, 'nor does white space'],
  ['git *', [], false, false, 'no words'],
  ['* *', [], false, true, 'a deny of everything meets even a line without words'],
];
for (const [pattern, words, allow, deny, why] of argvFacts) {
  test(`${pattern} and ${JSON.stringify(words)}: ${why}`, () => {
    assert.is(covers(pattern, words), allow, 'allow');
    assert.is(meets(pattern, words), deny, 'deny');
  });
}

const dynamicFacts: [pattern: string, words: (string | null)[], expected: boolean, why: string][] = [
  ['git push *', ['git', null], true, 'the word may be push'],
  ['git push', ['git', null, 'push'], true, 'the word may vanish'],
  ['git push *', ['git', 'pull', null], false, 'the subcommand is certain'],
  ['rm *', [null, '-rf', '/'], true, 'an unknown command'],
  ['rm *', [null], true, 'nothing known at all'],
  ['rm *', ['/bin/rm', null], true, 'by its base name'],
  ['git * main', ['git', 'push', null, 'main'], true, 'around an inner star'],
  ['git * main', ['git', null, 'dev'], false, 'the end is certain'],
  ['gitk', ['git', null], false, 'an unknown word does not extend a known one'],
];
for (const [pattern, words, expected, why] of dynamicFacts) {
  test(`deny ${pattern} and ${JSON.stringify(words)}: ${why}`, () => {
    assert.is(meets(pattern, words), expected);
  });
}

const textFacts: [pattern: string, line: string, expected: boolean, why: string][] = [
  ['git push *', 'git push origin && ls', true, 'the whole line as text'],
  ['git push *', '  git   push\torigin', true, 'white space of the line does not matter'],
  ['rm *', '/usr/bin/rm -rf x', true, 'the base name of its first word'],
  ['rm *', 'ls /usr/bin/rm', false, 'not of another word'],
  ['git commit -m "x y"', 'git commit -m "x y"', true, 'quotes as typed'],
  ['*; rm *', 'ls; rm x', true, 'operators are text'],
];
for (const [pattern, line, expected, why] of textFacts) {
  test(`deny ${pattern} and the line ${JSON.stringify(line)}: ${why}`, () => {
    const rules = compileRules([rule('ask', `Bash(${pattern})`)], sameName);
    assert.is(rules.meetsText('Bash', 'command', line).length > 0, expected);
  });
}

const issueFacts: [
  pattern: string,
  command: string,
  issue: { word: number; option: string | null },
  expected: boolean,
  why: string,
][] = [
  ['git push *', 'git push --force', { word: 2, option: '--force' }, false, 'a star does not stand for it'],
  ['git push --force *', 'git push --force', { word: 2, option: '--force' }, true, 'the rule wrote it'],
  ['git push --force*', 'git push --force', { word: 2, option: '--force' }, true, 'also with a glued star'],
  ['git push --forc?', 'git push --force', { word: 2, option: '--force' }, false, 'a wildcard wrote nothing'],
  ['git * --force', 'git push --force', { word: 2, option: '--force' }, true, 'wherever it is written'],
  ['git push -f *', 'git push -f', { word: 2, option: '--force' }, true, 'the very word counts too'],
  ['docker run *', 'docker run x', { word: 1, option: null }, true, 'an operand that was written out'],
  ['docker run *', 'docker run x', { word: 2, option: null }, false, 'one that was not'],
  ['docker run *', 'docker run x', { word: -1, option: null }, false, 'the whole command needs a rule without wildcard'],
  ['docker run x', 'docker run x', { word: -1, option: null }, true, 'such as this'],
  ['docker run x', 'docker run x', { word: 2, option: '--other' }, true, 'and it settles everything'],
  ['docker run x:*', 'docker run x', { word: -1, option: null }, false, 'the legacy form is a wildcard'],
  ['git push *', 'git push', { word: 9, option: null }, false, 'an issue about no word of the command'],
  ['./bin/*', './bin/x', { word: 0, option: null }, false, 'a folder is not the word'],
];
for (const [pattern, command, issue, expected, why] of issueFacts) {
  test(`${pattern} and ${command} with an issue ${issue.option ?? issue.word}: ${why}`, () => {
    assert.is(covers(pattern, command.split(' '), [issue]), expected);
  });
}

for (const text of ['Bash', 'Bash()', 'Bash(*)', 'Bash(**)']) {
  test(`${text} is total and nothing else`, () => {
    const rules = compileRules([rule('allow', text), rule('deny', text)], sameName);
    assert.equal(texts(rules.total('Bash')), [text, text]);
    assert.equal(rules.coversCommand('Bash', ['ls'], []), []);
    assert.equal(rules.meetsCommand('Bash', ['ls']), []);
    assert.equal(rules.patterned('Bash'), []);
    assert.equal(rules.total('Read'), []);
  });
}

for (const text of ['Bash(* *)', 'Bash(***)', 'Bash(?)']) {
  test(`${text} is not total`, () => {
    assert.equal(compileRules([rule('allow', text)], sameName).total('Bash'), []);
  });
}

test('a long command against many stars is answered at once', () => {
  const words = ['x', ...Array.from({ length: 5000 }, () => 'a')];
  assert.not(covers(`x ${'*a '.repeat(15)}b`, words));
  assert.not(meets(`x ${'*a '.repeat(15)}b`, words));
});

test.run();
