/** Programs in the line: allowed as the reads that they are, where Python loads its own modules. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { decideIn } from '../world.js';

const OWN = { facts: { modules: { '/repo': [], '/repo/sub': [] } } };
const HERE = "\nimport json\nprint(json.load(open('a.json')))\nEOF";

const ALLOWED: readonly string[] = [
  "python3 -c 'print(1)'",
  "python -c \"import json; json.load(open('a.json')); print('valid')\" 2>&1",
  `python3 - <<'EOF'${HERE}`,
  `python3 <<'EOF'${HERE}`,
  "python3 <<< 'print(1)'",
  'cat a.json | python3 -c "import sys, json; print(json.load(sys.stdin)[\\"x\\"])" | head -5',
  "cd sub && python3 -c 'print(1)'",
  "timeout 5 python3 -B -c 'print(1)'",
  'python3 -c "print(\'${x} $(y)\')"'.replaceAll('$', '\\$'),
  "echo '{}' > out.json; python3 -c 'print(open(\"out.json\").read())'",
  "for f in *.txt; do python3 -c 'print(1)'; done",
];

const ASKED: readonly (readonly [line: string, why: string])[] = [
  ['python3 -c \'print(open(".env").read())\'', 'a secret'],
  ['python3 -c \'print(open("/etc/hosts").read())\'', 'outside'],
  ['python3 -c \'print(open("../x").read())\'', 'outside'],
  ['python3 -c "print(\'$X\')"', 'the shell completes the program'],
  ["python3 - <<EOF\nprint('$X')\nEOF", 'the shell completes the program'],
  ['for f in *.json; do python3 -c "import json; json.load(open(\'$f\'))"; done', 'the shell completes the program'],
  ['ls | xargs -I{} python3 -c \'print("{}")\'', 'xargs completes the program'],
  ["find . -name '*.md' -exec python3 -c 'print(\"{}\")' \\;", 'find completes the program'],
  ["python3 - <<'A' <<'B'\nprint(1)\nA\nexec(1)\nB", 'another program'],
  ["python3 - <<'A' < x.py\nprint(1)\nA", 'another program'],
  ["echo 'print(1)' | python3", 'a program from a pipe'],
  ["python3 -i -c 'print(1)'", 'waits for more'],
  ["PYTHONPATH=x python3 -c 'print(1)'", 'other modules'],
  ["export PYTHONPATH=x; python3 -c 'print(1)'", 'other modules'],
  ["echo 1 > json.py; python3 -c 'import json'", 'makes a module'],
  ["cp a.py sub/re.py && cd sub && python3 -c 'print(1)'", 'makes a module'],
  ["git pull && python3 -c 'print(1)'", 'brings files'],
  ["cd elsewhere; python3 -c 'print(1)'", 'a folder that may not be there'],
];

test('programs that only read are allowed where their reads are', () => {
  for (const line of ALLOWED) {
    assert.is(decideIn({ preset: 'develop', ...OWN }, 'Bash', line).decision, 'allow', line);
    // There Python may load what an agent has put into an environment of the project.
    assert.is(decideIn({ preset: 'safe', ...OWN }, 'Bash', line).decision, 'ask', line);
  }
  for (const [line, why] of ASKED)
    assert.is(decideIn({ preset: 'develop', ...OWN, secrets: ['/repo/.env'] }, 'Bash', line).decision, 'ask', `${why}: ${line}`);
});

test('a file in the place of a module, and a folder of which nobody knows', () => {
  const line = "python3 -c 'import json'";
  for (const modules of [{ '/repo': ['json.py'] }, { '/repo': null }, {}]) {
    assert.is(decideIn({ preset: 'develop', facts: { modules } }, 'Bash', line).decision, 'ask');
    assert.is(decideIn({ preset: 'develop', facts: { modules } }, 'Bash', line.replace('-c', '-I -c')).decision, 'allow');
  }
  assert.is(decideIn({ deny: ['Bash(python3 *)'], preset: 'develop', ...OWN }, 'Bash', line).decision, 'deny');
});

test.run();
