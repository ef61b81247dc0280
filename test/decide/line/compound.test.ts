// Compound lines under preset safe: allowed when every command in them is, and never because of what stands around it.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { decideIn, type World } from '../world.js';

const SAFE: World = { preset: 'safe' };

/** Line, why; allowed in every shell. */
const ALLOWED: readonly string[] = [
  '(cd src && ls)',
  '(cd src && git log -3)',
  'if [ -f a ]; then cat a; fi',
  'if [ -f a ]; then cat a; else echo none; fi',
  'if grep -q x a; then cat a; elif grep -q x b; then cat b; else ls; fi',
  '[[ -f a ]] && cat a',
  'if [[ -d src ]]; then ls src; fi',
  '{ git status; git diff; } | cat',
  '{ git status; git diff; } 2>/dev/null',
  '(git status; git diff) | head -20',
  'until ls a; do echo wait; sleep 1; done',
  'while ! test -f a; do sleep 1; done',
  'case a in a|b) ls;; *) cat b;; esac',
  'ls && { cat a; cat b; } || (cat c)',
  'if ls; then cat a; fi > notes.md',
  '{ cat a; cat b; } > both.txt',
  '! grep -q x a',
  'if ! git diff --quiet; then git status; fi',
  'true && (ls | wc -l)',
  '(cd src; pwd)',
];

/** Line, and the reason of the question (or denial). */
const NOT_ALLOWED: readonly (readonly [line: string, code: string])[] = [
  ['(rm a)', 'default/ask'],
  ['{ ls; rm a; }', 'default/ask'],
  ['if rm a; then ls; fi', 'default/ask'],
  ['if ls; then rm a; fi', 'default/ask'],
  ['if ls; then cat a; elif rm a; then ls; fi', 'default/ask'],
  ['if ls; then cat a; else rm a; fi', 'default/ask'],
  ['while rm a; do ls; done', 'path/replaced'],
  ['while ls; do rm a; done', 'path/replaced'],
  ['until ls; do rm a; done', 'path/replaced'],
  ['case a in b) rm a;; esac', 'default/ask'],
  ['case a in a) ls;; *) rm a;; esac', 'default/ask'],
  ['ls | (cat; rm a)', 'default/ask'],
  ['[[ -f a ]] && rm a', 'default/ask'],
  ['! { rm a; }', 'default/ask'],
  ['(rm -rf /)', 'builtin/wipe'],
  ['{ cd /; rm -rf *; }', 'builtin/wipe'],
  ['if cd /; then rm -rf *; fi', 'builtin/wipe'],
  ['(cat .env)', 'secret/path'],
  ['while cat .env; do ls; done', 'secret/path'],
  ['(cd ~/.ssh && cat id_rsa)', 'secret/path'],
  ['if cd /etc; then cat passwd; fi', 'secret/unknown'],
  ['while cd sub; do cat a; done', 'secret/unknown'],
  ['while ls; do cat a; cd ..; done', 'secret/unknown'],
  ['case a in a) cd ..;; esac; cat a', 'secret/unknown'],
  ['{ cd ..; }; cat a', 'secret/unknown'],
  ['{ cd .. && ls; } && cat a', 'path/outside-project'],
  ['if ls; then cd ..; fi; git status', 'path/uncertain'],
  ['{ ls; } > .git/config', 'protected/path'],
  ['(ls) > .git/hooks/pre-commit', 'protected/path'],
  ['while ls; do cat a; done >> .git/config', 'protected/path'],
  ['if ls; then cat a; fi > ../x', 'path/outside-project'],
  ['{ ls; } > /dev/sda', 'builtin/device'],
  ['{ cat; } < .env', 'secret/path'],
  ['while read -r l; do ls; done < .env', 'secret/path'],
  ["{ bash; } <<'E'\nrm a\nE", 'shell/dynamic-script'],
  ['cat a.sh | { bash; }', 'shell/dynamic-script'],
  ['cat a | (sh -s)', 'shell/dynamic-script'],
  ['{ sh; } < a.sh', 'shell/dynamic-script'],
  ['if ls; then eval ls; fi', 'shell/eval'],
  ['(git() { rm a; }; git status)', 'shell/function-definition'],
  ['if ls; then PATH=.; fi; ls', 'shell/special-variable'],
  ['{ export PATH=.; ls; }', 'shell/special-variable'],
  ['(exec rm a)', 'default/ask'],
  ['{ . ./x; }', 'shell/dynamic-script'],
  ['{ ls; } &', 'shell/background-job'],
  ['(ls) >&file', 'shell/double-expansion'],
  ['[[ -v a ]] && ls', 'shell/compound-command'],
  ['{ echo a } always { rm a ; }', 'shell/shell-dialect'],
];

for (const shell of ['bash', 'sh', 'zsh', 'bash-or-zsh', 'union'] as const)
  for (const line of ALLOWED)
    test(`${shell} may run ${JSON.stringify(line)}`, () => {
      const { decision, reasons } = decideIn(SAFE, 'Bash', line, { shell });
      assert.is(decision, 'allow', JSON.stringify(reasons));
    });

for (const shell of ['bash', 'union'] as const)
  for (const [line, code] of NOT_ALLOWED)
    test(`${shell} may not run ${JSON.stringify(line)} unasked: ${code}`, () => {
      const { decision, reasons } = decideIn(SAFE, 'Bash', line, { shell });
      if (shell === 'bash' && code === 'shell/shell-dialect') return;
      assert.is.not(decision, 'allow');
      assert.ok(
        reasons.some((reason) => reason.code === code),
        JSON.stringify(reasons.map((reason) => reason.code)),
      );
    });

/** `cp` and `ln` are allowed by a rule here; what they leave where another command looks is not known. */
const COPIES: World = { preset: 'safe', allow: ['Bash(ln -s *)', 'Bash(cp *)'] };

for (const line of [
  '{ ln -s x y; cat y/id; }',
  '(ln -s x y); cat y/id',
  'while cat y/id; do ln -s x y; done',
  'until ls; do cat y/id; ln -s x y; done',
  '{ sleep 1; cat y/id; } | ln -s x y',
  'cat y/id | { ln -s x y; }',
  'while ls; do git status; cp -r x .; done',
  'if ln -s x y; then cat y/id; fi',
  'case a in a) ln -s x y;; esac; cat y/id',
])
  test(`another command may have replaced what ${JSON.stringify(line)} reads`, () => {
    const { decision, reasons } = decideIn(COPIES, 'Bash', line);
    assert.is(decision, 'ask');
    assert.ok(
      reasons.some(({ code }) => code === 'path/replaced' || code === 'git/replaced'),
      JSON.stringify(reasons),
    );
  });

for (const line of ['cat y/id; ln -s x y', 'ls | wc -l; ln -s x y', 'cat a; { ln -s x y; }'])
  test(`nothing is replaced before ${JSON.stringify(line)} reads it`, () => {
    assert.is(decideIn(COPIES, 'Bash', line).decision, 'allow');
  });

for (const [rule, line] of [
  ['Bash(git status)', '(git status)'],
  ['Bash(git status)', '{ git status; }'],
  ['Bash(git status)', 'if ls; then git status; fi'],
  ['Bash(git *)', 'while ls; do git status; done'],
  ['Bash(git status*)', 'case a in a) git status;; esac'],
] as const)
  test(`${rule} denies ${JSON.stringify(line)}`, () => {
    assert.is(decideIn({ preset: 'safe', deny: [rule] }, 'Bash', line).decision, 'deny');
    assert.is(decideIn({ preset: 'all', deny: [rule] }, 'Bash', line).decision, 'deny');
  });

test.run();
