/** Ordinary work in three kinds of repositories, under the policy that `policy init` writes: 25 calls each, all of which it allows. */

export const STACKS = ['node', 'python', 'go'] as const;
export type Stack = (typeof STACKS)[number];

interface Work {
  /** By their paths in the project. */
  readonly files: Readonly<Record<string, string>>;
  readonly lines: readonly string[];
}

const EVERYWHERE: readonly string[] = [
  'git status',
  'git status --short && git diff --stat',
  'git log --oneline -5',
  'ls -la src | head -5',
  'cat README.md',
  'grep -rn "hello" --include=*.md . | head -3',
  'find . -name "*.md" -not -path "./.git/*"',
  'wc -l README.md',
  'git checkout -b topic',
  'echo "note" > notes.txt',
  'cat notes.txt | tr a-z A-Z',
  'sed -i "s/note/notes/" notes.txt',
  'mkdir -p docs && cp notes.txt docs/',
  'git add notes.txt && git commit -q -m "Add notes"',
  'git stash list',
  'git show --stat HEAD',
  'git switch main',
];

const WORK: Readonly<Record<Stack, Work>> = {
  node: {
    files: {
      'package.json': JSON.stringify({ name: 'x', scripts: { test: 'node --test', build: 'node -e 1', lint: 'node -e 1' } }),
      'src/a.js': 'export const a = 1;\n',
    },
    lines: [
      'npm test',
      'npm test 2>&1 | tail -5',
      'npm run build',
      'cd src && npm test',
      'npm run lint && git status',
      'timeout 60 npm test || true',
      'node --version',
      'npm ls --depth=0 2>/dev/null | head -3',
    ],
  },
  python: {
    files: {
      'pyproject.toml': '[project]\nname = "x"\nversion = "1"\n[tool.pytest.ini_options]\n[tool.ruff]\n',
      'src/a.py': 'a = 1\n',
      'tests/test_a.py': 'def test_a():\n    assert True\n',
    },
    lines: [
      'pytest',
      'pytest -q tests 2>&1 | tail -3',
      'python -m pytest -x',
      'python3 --version',
      'pytest --version && git status',
      'cd tests && pytest -q',
      'ruff check . | head -3',
      'timeout 60 pytest || true',
    ],
  },
  go: {
    files: {
      'go.mod': 'module example.com/x\n\ngo 1.21\n',
      'src/a.go': 'package a\n',
      'main.go': 'package main\nfunc main(){}\n',
    },
    lines: [
      'go test ./...',
      'go build ./... 2>&1 | tail -3',
      'go vet ./...',
      'gofmt -l .',
      'go test ./src -run X -v | head -5',
      'cd src && go test ./...',
      'git diff --name-only main',
      'timeout 60 go test ./... || true',
    ],
  },
};

export function everydayLines(stack: Stack): readonly string[] {
  return [...WORK[stack].lines, ...EVERYWHERE];
}

/** By their paths below the home. */
export function everydayFiles(stack: Stack): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(WORK[stack].files).map(([name, text]) => [`project/${name}`, text]));
}
