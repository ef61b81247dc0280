/** Lines about texts of which the engine knows where they come from: numbers, folders, names of commits, pipes, parts of known values. */
import type { Random } from './random.js';

/** Ways to a number, and things that only look like one; `N` is a variable. */
const NUMBERS = [
  ...['N=0', 'N=1', 'N=7', 'N=$((1 + 2))', 'N=$(wc -l < a.txt)', 'N=$(ls | wc -l)', 'N=$(date +%s)', 'N=$((N + 1))', '((N++))'],
  ...[
    '((N += 2))',
    'N=$(cat a.txt)',
    "N='a[$(k1)]'",
    'N=a.txt',
    'read -r N < a.txt',
    'N+=1',
    'declare -i N=1',
    'unset N',
    'N=',
    'N=08',
  ],
  ...[
    '((N = N ? 1 : 2))',
    '((N && (M = 1)))',
    'let N=1',
    'N=$((N++ + M))',
    'printf -v N k2',
    '(N=a.txt)',
    'N=1 ls',
    'N=1 | ls',
    'true || N=1',
  ],
];
const NUMBER_USES = [
  ...[
    'echo $N',
    'echo "$N"',
    'echo $((N + 1))',
    'echo "$((N * 2 - M))"',
    '[ $N -gt 2 ] && ls',
    '[ "$N" -le 3 ]',
    'head -n $N a.txt',
  ],
  ...[
    'head -n $((N + 1)) a.txt',
    'exit $N',
    '((N > 1)) && ls src',
    '[[ $N -lt 9 ]] && ls',
    'cat $N',
    'echo ${#N}',
    'sleep $((N * 0))',
  ],
  ...[
    'for ((M = 0; M < 2; M++)); do echo $((M + N)); done',
    'while ((N < 2)); do echo $N; ((N++)); done',
    'echo $((N)) P',
    'echo "$((N--))"',
  ],
  ...[
    'for N in 1 2; do echo $((N * 3)); done',
    'for N in $(seq 2); do echo "$N" $((N)); done',
    'ls; echo $?; exit $?',
    'echo $((a[N]))',
  ],
];

/** Folders, and what is done with them. */
const FOLDERS = [
  ...[
    '"$PWD"',
    '$PWD',
    '"$(pwd)"',
    '$(pwd)',
    '"$(git rev-parse --show-toplevel)"',
    '$(git rev-parse --show-toplevel)',
    '"$HOME"',
    '$HOME',
  ],
  ...[
    '"$PWD/src"',
    '"$(pwd)/src"',
    '$PWD/src',
    '"$(git rev-parse --show-toplevel)/src"',
    '"$d"',
    '$d',
    '"$d/src"',
    '"$OLDPWD"',
    '"$PWD/.."',
  ],
  ...[
    '"$(cd src && pwd)"',
    '"$(git rev-parse --show-toplevel 2>/dev/null)"',
    '"$(pwd | cat)"',
    '"$PWD"/src',
    '"src/$PWD"',
    '"$PWD$PWD"',
    '"$(pwd -P)"',
  ],
];
const FOLDER_USES = [
  ...[
    'cd F',
    'cd F && ls',
    'cd F; cat a.txt',
    'ls F',
    'cat F/a.ts',
    'd=F',
    'd=F; cd src; ls "$d"',
    'cd src && ls F',
    '(cd F && ls src); ls',
  ],
  ...[
    'cd F && cd F && ls',
    'for x in F; do ls "$x"; done',
    'if cd F; then ls; fi; ls',
    'cd F || ls',
    'd=F && cd "$d" && wc -l a.txt',
    'ls > F/out/x',
  ],
  ...[
    'for i in 1 2; do ls F; cd src; done',
    'cd src; cd F; ls F',
    'grep -n k F',
    'echo F',
    'find F -name a.ts',
    'sh -c "ls F"',
    'env -C src ls F',
  ],
];

/** Names of commits, and things that only look like them. */
const COMMITS = [
  ...[
    '$(git merge-base main HEAD)',
    '"$(git merge-base main HEAD)"',
    '$(git rev-parse HEAD)',
    '$(git log --format=%h -1)',
    '$(git rev-list -n 1 HEAD)',
  ],
  ...[
    '$(git log --format=%h | head -1)',
    '$b',
    '"$b"',
    '$(git rev-parse main)',
    '$(git log --oneline -1)',
    '$(git describe)',
    '$(cat a.txt)',
  ],
];
const COMMIT_USES = [
  ...[
    'git diff C --stat',
    'git log --oneline C..HEAD',
    'git show C',
    'git diff main..C',
    'git show C:src/a.ts',
    'b=C; git log $b',
    'git log C~1',
  ],
  ...[
    'for c in C; do git show --stat $c; done',
    'b=C; git diff "$b" -- src',
    'git log -1 C',
    'echo C',
    'cat C',
    'git push origin C',
  ],
];

/** Pipes, and where they go. */
const PIPES = [
  '<(ls)',
  '<(sort a.txt)',
  '<(git show HEAD:a.txt | head -2)',
  '<(cat a.txt; ls)',
  '<(cd src && ls)',
  '<(for f in a.txt; do cat $f; done)',
];
const PIPE_USES = [
  ...[
    'diff I I',
    'diff I a.txt',
    'cat I',
    'comm -12 I I | head -3',
    'wc -l < I',
    'while read -r x; do echo "$x"; done < I',
    'cat I#x',
    'cat Ix',
  ],
  ...[
    'cat xI',
    'sort I > out/x',
    'grep -f I a.txt',
    'cat I | cat I',
    'bash I',
    'x=I; cat "$x"',
    'for f in I; do cat $f; done',
    'cat I; P',
    'echo I P',
  ],
];

/** Parts and combinations of known values. */
const PARTS = [
  ...[
    'for f in a.txt b.txt; do U; done',
    'for f in *.txt; do U; done',
    'for f in src/*.ts; do U; done',
    'f=src/a.ts; U',
    'f=a.txt; U; U',
    'f="a.txt b.txt"; U',
  ],
  ...[
    'for f in src/ out/; do U; done',
    'f=$(ls); U',
    'read -r f < a.txt; U',
    'f="a.txt b.txt"; for g in $f; do cat $g; done; U',
    'for f in src/*; do U; U; done',
  ],
];
const PART_USES = [
  ...[
    'echo "${f%.txt}"',
    'cat "${f%.txt}.txt"',
    'cat ${f%.*}.txt',
    'echo ${f##*/} ${f%/*}',
    'ls "${f%/*}"',
    'echo "${f:0:3}"',
    'echo ${f:-x}',
  ],
  ...[
    'cat $f',
    'cat "$f"',
    'wc -l < "$f"',
    'echo "== $f"',
    'cat "$f/a.ts"',
    'ls "$f"/*.ts',
    'echo ${#f}',
    'cat "${f#src/}"',
    'echo "$f: $(wc -l < "$f")"',
  ],
  ...[
    'cat "${f/a/b}"',
    'echo "${f^^}"',
    'cat "$f" > "$f"',
    'cat "./$f"',
    'echo $f "$f" ${f}',
    'cat "${f%%.*}"*',
    'cat "${f#*/}"',
    'cat -- "${f##*.}"',
  ],
];

/** Compound commands in substitutions, which bash prints and reads again. */
const INNER = [
  ...[
    'for f in a b; do echo $f; done',
    'if ls; then cat a.txt; fi',
    'while read -r x; do echo "$x"; done < a.txt',
    '{ ls; cat a.txt; }',
    'ls; cat a.txt',
  ],
  ...[
    'if ls; then ls; elif cat a.txt; then ls; else cat b.txt; fi',
    'for f in *.txt; do cat "$f" | head -1; done',
    'until ls; do cat a.txt; done',
  ],
  ...[
    'for f in a b; do for g in c d; do echo "$f$g"; done; done',
    'if ! ls; then ls; fi',
    '! ls',
    'ls && { cat a.txt || ls; }',
    'ls | { cat; }',
  ],
  ...[
    'for f in "a b" \'c;d\' e\\ f; do echo "$f"; done',
    'if [[ -f a.txt ]]; then ls; fi',
    'if [ -f a.txt ]; then ls; fi > out/x',
    '{ ls; } 2>&1',
  ],
  ...[
    'for f in a; do ls; done | head -1',
    'for f in $(ls); do echo "$(echo $f)"; done',
    'if ls # a\nthen cat a.txt\nfi',
    'for f in a\ndo\nls; cat a.txt\ndone',
  ],
  ...[
    'while ls; do break; done; cat a.txt',
    '{ ls & }',
    'for f in a; do P; done',
    'if P; then ls; fi',
    '{ ls;cat a.txt;};ls',
    'ls;for f in a;do ls;done',
  ],
];
const INNER_FRAMES = [
  'x=$(S); echo "$x"',
  'echo "$(S)"',
  'echo $(S)',
  'cat <(S)',
  'echo "$(echo "$(S)")"',
  'for y in $(S); do echo $y; done',
  'echo "a $(S) b" P',
];

/** One line of texts that are known in part. */
export function knownLine(random: Random): string {
  switch (random.below(6)) {
    case 0:
      return numberLine(random);
    case 1:
      return random.pick(FOLDER_USES).replace(/F/g, () => random.pick(FOLDERS));
    case 2:
      return random.pick(COMMIT_USES).replace(/C/g, () => random.pick(COMMITS));
    case 3:
      return random.pick(PIPE_USES).replace(/I/g, () => random.pick(PIPES));
    case 4:
      return random.pick(PARTS).replace(/U/g, () => random.pick(PART_USES));
    default:
      return random.pick(INNER_FRAMES).replace('S', () => random.pick(INNER));
  }
}

function numberLine(random: Random): string {
  const own = (text: string) =>
    text.replace(/\bN\b/g, () => (random.chance(85) ? 'n' : 'm')).replace(/\bM\b/g, () => (random.chance(60) ? 'm' : 'n'));
  const parts: string[] = [];
  for (let count = 1 + random.below(3); count > 0; count -= 1)
    parts.push(random.pick(NUMBERS.slice(0, random.chance(65) ? 11 : NUMBERS.length)));
  for (let count = 1 + random.below(2); count > 0; count -= 1) parts.push(random.pick(NUMBER_USES));
  return own(parts.join('; '));
}
