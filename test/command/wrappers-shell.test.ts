/** Looking through shells: texts given with `-c`, on standard input, and by watch; eval and trap are read with the line. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { see } from './leaves.js';

/** Command line; innermost commands; wrappers; opaque codes. */
type Row = readonly [line: string, leaves: string, wrappers: string, opaque: string];

const SHELL: readonly Row[] = [
  ["bash -c 'zz a'", 'zz', 'bash:interpreter', ''],
  ["bash -lc 'zz a'", 'zz', 'bash:interpreter', ''],
  ["bash -ec 'zz a'", 'zz', 'bash:interpreter', ''],
  ["bash -euo pipefail -c 'zz a'", 'zz', 'bash:interpreter', ''],
  ["bash -c -x 'zz a'", 'zz', 'bash:interpreter', ''],
  ["bash -c -- 'zz a'", 'zz', 'bash:interpreter', ''],
  ["bash -x -c 'zz; yy'", 'zz yy', 'bash:interpreter', ''],
  ['bash -c "zz $X"', 'zz', 'bash:interpreter', 'parameter-expansion dynamic-script'],
  ['bash -c "$X"', 'bash', '', 'parameter-expansion dynamic-word dynamic-script'],
  ['bash -c ~/zz', '?~/zz', 'bash:interpreter', 'dynamic-script'],
  ['bash -c zz*', '?zz*', 'bash:interpreter', 'dynamic-script'],
  ['bash -ic zz', 'zz', 'bash:interpreter', 'unknown-construct'],
  ['bash -O extglob -c zz', 'zz', 'bash:interpreter', 'unknown-construct'],
  ['bash -o history -c zz', 'zz', 'bash:interpreter', 'unknown-construct'],
  ['bash --norc -c zz', 'zz', 'bash:interpreter', ''],
  ['bash --rcfile x -c zz', 'zz', 'bash:interpreter', 'unknown-construct'],
  ['bash --frob -c zz', 'zz', 'bash:interpreter', 'unknown-construct'],
  ['bash --version', 'bash', '', ''],
  ['bash -c', 'bash', '', 'dynamic-script'],
  ['bash -c \'"$@"\' _ zz a', '? zz', 'bash:interpreter', 'parameter-expansion dynamic-command'],
  ['bash -c \'exec "$0"\' zz', '?', 'bash:interpreter exec:transparent', 'parameter-expansion dynamic-command'],
  ['bash script.sh a', 'bash', '', ''],
  ['bash ./script.sh', 'bash', '', ''],
  ['bash', 'bash', '', 'dynamic-script'],
  ['bash -s', 'bash', '', 'dynamic-script'],
  ["bash -s a <<'E'\nzz\nE", 'zz', 'bash:interpreter', ''],
  ["bash <<< 'zz a'", 'zz', 'bash:interpreter', ''],
  ['bash <<< "zz $X"', 'bash', '', 'parameter-expansion dynamic-script'],
  ['bash < file', 'bash', '', 'dynamic-script'],
  ['bash /dev/stdin <<< zz', 'zz', 'bash:interpreter', ''],
  ['echo zz | bash', 'echo zz', 'bash:interpreter', 'dynamic-script'],
  ['echo zz | bash -s', 'echo zz', 'bash:interpreter', 'dynamic-script'],
  ["printf 'zz a\\nyy' | sh -", 'printf zz yy', 'sh:interpreter', 'dynamic-script'],
  ['echo zz | sudo sh', 'echo sh zz', 'sudo:privilege', 'dynamic-script'],
  ['cat <<E | sh\nzz\nE', 'cat zz', 'sh:interpreter', 'dynamic-script'],
  ['echo zz | tee log | sh', 'echo tee zz', 'sh:interpreter', 'dynamic-script'],
  ['echo enogYQ== | base64 -d | sh', 'echo base64 zz', 'sh:interpreter', 'dynamic-script'],
  ['bash -c "$(echo zz)"', 'zz echo', 'bash:interpreter', 'dynamic-word dynamic-script'],
  ['bash -c "echo zz | sh"', 'echo zz', 'bash:interpreter sh:interpreter', 'dynamic-script'],
  ['bash <(echo zz)', 'zz echo', 'bash:interpreter', 'dynamic-word parameter-expansion'],
  ['source <(echo zz)', 'zz echo', 'source:interpreter', 'parameter-expansion dynamic-script'],
  ['eval "$(printf \'zz a\')"', 'zz printf', 'eval:interpreter', 'parameter-expansion eval'],
  ["at now <<< 'zz a'", 'zz', '', ''],
  ['echo zz | at now', 'echo zz', '', ''],
  ["echo '0 4 * * * zz a' | crontab -", 'echo zz', '', ''],
  ["echo '@daily zz' | crontab", 'echo zz', '', ''],
  ["make -f - <<< 'x:; zz a'", 'zz', '', ''],
  // Nothing reads these as commands.
  ['echo zz | cat', 'echo cat', '', ''],
  ['echo zz | bash script.sh', 'echo bash', '', ''],
  ["echo zz | bash -c 'cat'", 'echo cat', 'bash:interpreter', ''],
  ['echo zz | xargs sh', 'echo sh+ sh', 'xargs:appending', 'dynamic-script'],
  ["echo zz | xargs -I{} sh -c '{}'", 'echo sh+ zz', 'xargs:appending sh:interpreter', 'dynamic-script'],
  ['echo a b | xargs zz', 'echo zz+ zz', 'xargs:appending', ''],
  ['echo "$X" | sh', 'echo sh', '', 'parameter-expansion dynamic-script'],
  ['cat file | sh', 'cat sh', '', 'dynamic-script'],
  ['echo zz && sh', 'echo sh', '', 'dynamic-script'],
  ['echo zz | make', 'echo make', '', ''],
  ["timeout 5 bash <<< 'zz a'", 'zz', 'timeout:transparent bash:interpreter', ''],
  ["sh -c 'zz && (yy; { xx; })'", 'zz yy xx', 'sh:interpreter', ''],
  ["sh -c 'zz \"unterminated'", 'zz', 'sh:interpreter', 'parse-error unexplained-bytes dynamic-word'],
  ['dash -c zz', 'zz', 'dash:interpreter', ''],
  ['zsh -c zz', 'zz', 'zsh:interpreter', ''],
  ['ksh -c zz', 'zz', 'ksh:interpreter', ''],
  ['sh -c \'bash -c "zsh -c zz"\'', 'zz', 'sh:interpreter bash:interpreter zsh:interpreter', ''],
  ['sh -c "sh -c \'sh -c \\"zz a\\"\'"', 'zz', 'sh:interpreter sh:interpreter sh:interpreter', ''],
  ['eval zz a', 'eval zz', '', 'eval'],
  ['eval "zz $X"', 'eval', '', 'parameter-expansion eval'],
  ['builtin eval zz', 'eval zz', 'builtin:transparent', 'eval'],
  ["trap 'zz a' EXIT", 'trap zz', '', 'eval'],
  ['trap - EXIT', 'trap -', '', 'eval'],
  ["trap 'zz' 0; yy", 'trap zz yy', '', 'eval'],
  ['watch zz a', 'zz', 'watch:interpreter', ''],
  ["watch -n 1 -d 'zz; yy'", 'zz yy', 'watch:interpreter', ''],
  ['watch -x zz', 'zz', 'watch:interpreter', 'unknown-construct'],
];

for (const [line, leaves, wrappers, opaque] of [...SHELL]) {
  test(line, () => {
    assert.equal(see(line), { leaves, wrappers, opaque });
  });
}

test.run();
