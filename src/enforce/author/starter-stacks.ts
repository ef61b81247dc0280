/**
 * What projects of a kind test, check and build themselves with, told by the files in them. A `*` stands only behind commands whose
 * options are known, so that none of them runs what lies elsewhere (rules/commands); the others stand as they are usually typed.
 */

/** Rules for the shell, where one of the files is there. */
export interface Stack {
  /** Names of files, anywhere in the project. */
  readonly files: RegExp;
  readonly comment: string;
  readonly commands: readonly string[];
}

export const STACKS: readonly Stack[] = [
  {
    files: /^Cargo\.toml$/,
    comment: 'Rust (Cargo.toml).',
    commands: [
      'cargo test *',
      'cargo check *',
      'cargo clippy *',
      'cargo build *',
      'cargo fmt',
      'cargo fmt --all',
      'cargo fmt --check',
      'cargo fmt --all --check',
    ],
  },
  {
    files: /^go\.mod$/,
    comment: 'Go (go.mod).',
    commands: ['go test *', 'go vet *', 'go build *', 'go fmt ./...', 'gofmt -l .'],
  },
  {
    files: /^\.golangci\.(?:ya?ml|toml|json)$/,
    comment: 'golangci-lint, by its configuration.',
    commands: ['golangci-lint run', 'golangci-lint run ./...'],
  },
  {
    files: /^gradlew$/,
    comment: 'Gradle (gradlew), without further arguments: other options run what lies elsewhere.',
    commands: ['./gradlew test', './gradlew check', './gradlew build', './gradlew assemble'],
  },
  {
    files: /^(?:build|settings)\.gradle(?:\.kts)?$/,
    comment: 'Gradle (build.gradle).',
    commands: ['gradle test *', 'gradle check *', 'gradle build *'],
  },
  {
    files: /^mvnw$/,
    comment: 'Maven (mvnw), without further arguments.',
    commands: ['./mvnw test', './mvnw verify', './mvnw compile'],
  },
  { files: /^pom\.xml$/, comment: 'Maven (pom.xml).', commands: ['mvn test *', 'mvn verify *', 'mvn compile *'] },
  {
    files: /\.(?:sln|csproj|fsproj)$/,
    comment: '.NET (solution or project files).',
    commands: ['dotnet test', 'dotnet build', 'dotnet format --verify-no-changes'],
  },
  { files: /^\.rspec$/, comment: 'Ruby (.rspec).', commands: ['bundle exec rspec *', 'rspec *'] },
  { files: /^\.rubocop\.yml$/, comment: 'RuboCop, by its configuration.', commands: ['bundle exec rubocop', 'rubocop'] },
  { files: /^phpunit\.xml(?:\.dist)?$/, comment: 'PHP (phpunit.xml).', commands: ['vendor/bin/phpunit', './vendor/bin/phpunit'] },
  {
    files: /^mix\.exs$/,
    comment: 'Elixir (mix.exs).',
    commands: ['mix test', 'mix compile', 'mix format', 'mix format --check-formatted'],
  },
  { files: /^Package\.swift$/, comment: 'Swift (Package.swift).', commands: ['swift test', 'swift build'] },
  { files: /^deno\.jsonc?$/, comment: 'Deno (deno.json).', commands: ['deno test', 'deno lint', 'deno fmt --check'] },
  {
    files: /^pubspec\.yaml$/,
    comment: 'Dart and Flutter (pubspec.yaml).',
    commands: ['dart analyze', 'dart test', 'flutter analyze', 'flutter test'],
  },
  { files: /^CMakeLists\.txt$/, comment: 'CMake (CMakeLists.txt).', commands: ['cmake --build build', 'ctest --test-dir build'] },
  {
    files: /^\.pre-commit-config\.yaml$/,
    comment: 'pre-commit, by its configuration.',
    commands: ['pre-commit run', 'pre-commit run --all-files'],
  },
];

/** A tool of JavaScript projects: there when a package.json names it or its configuration lies somewhere. */
export interface ScriptTool {
  readonly name: string;
  readonly dependency: RegExp;
  readonly files: RegExp;
  /** Behind `npx`. */
  readonly commands: readonly string[];
}

export const SCRIPT_TOOLS: readonly ScriptTool[] = [
  { name: 'tsc', dependency: /^typescript$/, files: /^tsconfig(?:\.[\w-]+)?\.json$/, commands: ['tsc --noEmit *'] },
  {
    name: 'eslint',
    dependency: /^eslint$/,
    files: /^(?:\.eslintrc(?:\.\w+)?|eslint\.config\.\w+)$/,
    commands: ['eslint *'],
  },
  {
    name: 'prettier',
    dependency: /^prettier$/,
    files: /^(?:\.prettierrc(?:\.\w+)?|prettier\.config\.\w+)$/,
    commands: ['prettier --check *'],
  },
  {
    name: 'biome',
    dependency: /^@biomejs\/biome$/,
    files: /^biome\.jsonc?$/,
    commands: ['biome check *', 'biome lint *', 'biome format *'],
  },
  { name: 'jest', dependency: /^jest$/, files: /^jest\.config\.\w+$/, commands: ['jest *'] },
  { name: 'vitest', dependency: /^vitest$/, files: /^vitest\.config\.\w+$/, commands: ['vitest *'] },
  {
    name: 'playwright',
    dependency: /^@playwright\/test$/,
    files: /^playwright\.config\.\w+$/,
    commands: ['playwright test *'],
  },
  { name: 'mocha', dependency: /^mocha$/, files: /^\.mocharc(?:\.\w+)?$/, commands: ['mocha'] },
  { name: 'vue-tsc', dependency: /^vue-tsc$/, files: /^$/, commands: ['vue-tsc --noEmit'] },
  { name: 'knip', dependency: /^knip$/, files: /^knip\.(?:json|jsonc|ts|js)$/, commands: ['knip'] },
];

/** A tool of Python projects, by what its configuration says anywhere. */
export interface PythonTool {
  readonly text: RegExp;
  readonly files: RegExp;
  readonly commands: readonly string[];
}

export const PYTHON_TOOLS: readonly PythonTool[] = [
  { text: /pytest/, files: /^(?:pytest\.ini|conftest\.py)$/, commands: ['pytest *'] },
  { text: /\[tool\.ruff/, files: /^\.?ruff\.toml$/, commands: ['ruff check *', 'ruff format --check *'] },
  { text: /\[tool\.mypy|^\[mypy\]/m, files: /^\.?mypy\.ini$/, commands: ['mypy *'] },
  { text: /\[tool\.black\]/, files: /^$/, commands: ['black --check *'] },
  { text: /^\[tox\]|\[tool\.tox/m, files: /^tox\.ini$/, commands: ['tox'] },
];
