// Variables before a command and written allow rules: one that makes programs run others is covered only where the rule writes it out.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { decideIn } from '../world.js';

const ROWS: readonly (readonly [rule: string, line: string, expect: 'allow' | 'ask'])[] = [
  ['git diff', 'git diff', 'allow'],
  ['git diff', 'GIT_EXTERNAL_DIFF=/tmp/evil git diff', 'ask'],
  ['git diff', 'env GIT_EXTERNAL_DIFF=/tmp/evil git diff', 'ask'],
  ['git log', 'PAGER=evil git log', 'ask'],
  ['npm test', 'NODE_OPTIONS=--require=/tmp/evil.js npm test', 'ask'],
  ['npm test', 'npm_config_script_shell=./evil npm test', 'ask'],
  ['npm test', 'CI=1 npm test', 'allow'],
  ['npm test', 'FOO=1 npm test', 'ask'],
  ['FOO=1 npm test', 'FOO=1 npm test', 'allow'],
  ['FOO=1 npm test', 'CI=1 FOO=1 npm test', 'allow'],
  ['FOO=1 npm test', 'FOO=1 BAR=1 npm test', 'ask'],
  ['FOO=1 npm test', 'FOO=2 npm test', 'ask'],
  ['FOO=1 npm test', 'env FOO=1 npm test', 'allow'],
  ['make test', 'GNUMAKEFLAGS=SHELL=/x make test', 'ask'],
  ['make test', 'env GNUMAKEFLAGS=--eval=x make test', 'ask'],
  ['make *', 'GNUMAKEFLAGS=SHELL=/x make test', 'ask'],
  ['make test', 'MAKELEVEL=1 make test', 'ask'],
  ['go test', 'GOCACHEPROG=/tmp/x go test', 'ask'],
  ['go test', 'GOROOT=/tmp/x go test', 'ask'],
  ['go test', 'GOTOOLCHAIN=go1.99 go test', 'ask'],
  ['go test', 'CGO_CFLAGS=-fplugin=/tmp/x go test', 'ask'],
  ['pytest', 'PYTEST_ADDOPTS="-p evil" pytest', 'ask'],
  ['mvn test', 'MAVEN_OPTS=-javaagent:/tmp/x.jar mvn test', 'ask'],
  ['cargo test', 'RUSTFLAGS=-Clinker=/tmp/x cargo test', 'ask'],
  ['dotnet test', 'DOTNET_STARTUP_HOOKS=/tmp/x.dll dotnet test', 'ask'],
  ['make test', 'CI=1 make test', 'allow'],
  ['make test', 'env CI=1 PORT=3000 make test', 'allow'],
  ['make *', 'NODE_ENV=test make test', 'allow'],
  ['make test', 'DEBUG=1 LANGUAGE=de LC_ALL=C TZ=UTC RUST_LOG=debug make test', 'allow'],
  ['make test', 'DEBUG=$x make test', 'ask'],
  ['make test', 'NODE_ENV="; x" make test', 'ask'],
  ['PYTHONPATH=src pytest', 'PYTHONPATH=src pytest', 'allow'],
  ['PYTHONPATH=src pytest', 'PYTHONPATH=/tmp/evil pytest', 'ask'],
  ['PYTHONPATH=src pytest', 'PYTHONPATH=src pytest -p evil', 'ask'],
  ['PYTHONPATH=src tool *', 'PYTHONPATH=src tool a b', 'allow'],
  ['PYTHONPATH=src tool *', 'PYTHONPATH=src PYTHONPATH=/tmp/evil tool a', 'ask'],
  ['PYTHONPATH=src tool *', 'PYTHONPATH=src LESSOPEN=evil tool a', 'ask'],
  ['PYTHONPATH=src *', 'PYTHONPATH=src LESSOPEN=evil tool a', 'ask'],
  ['PYTHONPATH=* tool', 'PYTHONPATH=/tmp/evil tool', 'ask'],
  ['* tool', 'PYTHONPATH=/tmp/evil tool', 'ask'],
  ['PYTHONPATH=src tool', 'PYTHONPATH=$x tool', 'ask'],
  ['PYTHONPATH=src tool', 'PYTHONPATH+=src tool', 'ask'],
  ["'A=b c' tool", "A='b c' tool", 'allow'],
];

for (const [rule, line, expect] of ROWS)
  test(`Bash(${rule}): ${line} is ${expect}`, () => {
    assert.is(decideIn({ allow: [`Bash(${rule})`] }, 'Bash', line).decision, expect);
  });

/** With the preset that lets `export` pass, and the user's own list. */
const EXPORTED: readonly (readonly [line: string, expect: 'allow' | 'ask', why: string])[] = [
  ['export CI=1 && make test', 'allow', 'harmless'],
  ['export GNUMAKEFLAGS=--eval=x && make test', 'ask', 'make runs it'],
  ['GNUMAKEFLAGS=--eval=x; export GNUMAKEFLAGS; make test', 'ask', 'the same in two steps'],
  ['FOO=1; export FOO; make test', 'ask', 'what it holds by then is not followed'],
  ['FOO=1; readonly FOO; make test', 'allow', 'stays in the shell'],
  ['export FOO=1 && make test', 'ask', 'no rule covers it'],
  ['export BAR=1 && make test', 'allow', 'a rule writes it out'],
  ['export BAR=2 && make test', 'ask', 'with another value'],
  ['export OWN=a/b && make test', 'allow', 'on the list of the policy'],
  ['OWN=a/b make test', 'allow', 'on the list of the policy'],
  ['env OWN="a b" make test', 'allow', 'on the list of the policy'],
  ['OWN=$x make test', 'ask', 'with a value that nobody knows'],
  ['OWN=1 FOO=1 make test', 'ask', 'and another one'],
  ['PATH=/tmp make test', 'ask', 'on the list of the policy, but it makes programs run others'],
];
for (const [line, expect, why] of EXPORTED)
  test(`${line} is ${expect}: ${why}`, () => {
    const world = { preset: 'safe', policy: { harmlessVariables: ['OWN', 'PATH'] } } as const;
    assert.is(decideIn({ ...world, allow: ['Bash(make test)', 'Bash(export BAR=1)'] }, 'Bash', line).decision, expect);
  });

test.run();
