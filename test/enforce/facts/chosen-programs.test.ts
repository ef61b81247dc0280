/** `node --version` beside a file by which a manager of versions chooses the program: one that says more than a version may name any. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { judgeUnder } from '../judged-line.js';
import { withFiles } from '../scratch.js';

const judge = judgeUnder('version: 1\npreset: safe\n');

const rows: readonly (readonly [line: string, file: string, text: string, expected: 'allow' | 'ask'])[] = [
  ['node --version', '.tool-versions', 'node path:./evil\n', 'ask'],
  ['node --version', '.tool-versions', 'nodejs 20.11.1 18.0.0\n# a comment\npython 3.12.1\n', 'allow'],
  ['node --version', 'mise.toml', '[tools]\nnode = "path:./evil"\n', 'ask'],
  ['node --version', '.mise.toml', '[env]\n_.path = ["./bin"]\n', 'ask'],
  ['node --version', 'mise.toml', '[tools]\nnode = "22"\n', 'allow'],
  ['node --version', '.node-version', '20.11.1\n', 'allow'],
  ['python3 --version', '.python-version', '../../project/evil\n', 'ask'],
  ['python3 --version', '.python-version', '3.12.1\n', 'allow'],
  ['node -p "process.version"', '.tool-versions', 'node path:./evil\n', 'ask'],
  ['node -p "process.version"', '.tool-versions', 'node 20.11.1\n', 'allow'],
  ['ruby --version', '.ruby-version', './evil\n', 'ask'],
  ['ruby --version', '.ruby-version', 'ruby-3.3.0\n', 'allow'],
  ['node --version', 'package.json', '{}', 'allow'],
  ['npm ls', '.tool-versions', 'node path:./evil\n', 'ask'],
  ['npm ls', 'mise.local.toml', '[tools]\nnode = "path:./evil"\n', 'ask'],
  ['npx --version', '.config/mise.toml', '[tools]\nnode = "path:./evil"\n', 'ask'],
  ['pip list', '.python-version', './evil\n', 'ask'],
  ['pip list', 'mise.toml', '[tools]\npython = "3.12"\n\n[tasks.x]\nrun = "make x"\n[settings]\ny = true\n', 'ask'],
  ['pip list', 'mise.toml', '[tools]\npython = "3.12"\n\n[tasks.x]\nrun = "make x"\n', 'allow'],
  ['java -version', '.java-version', '21.0.2\n', 'allow'],
  ['java -version', '.mise.local.toml', '[tools]\njava = "path:./evil"\n', 'ask'],
  ['gh pr list', '.tool-versions', 'gh path:./evil\n', 'ask'],
  ['gh pr list', '.tool-versions', 'gh 2.60.1\n', 'allow'],
  ['terraform version', '.config/mise/conf.d/a.toml', '[tools]\nterraform = "1.9"\n', 'ask'],
  ['node --version', '.miserc.toml', 'env = ["dev"]\n', 'ask'],
  ['node --version', '.mise/conf.d/a.toml', '[tools]\nnode = "path:./x"\n', 'ask'],
  ['node --version', '.config/mise.local.toml', '[tools]\nnode = "path:./x"\n', 'ask'],
  ['node --version', '.nvmrc', './x\n', 'ask'],
  ['node --version', '.nvmrc', 'v20\n', 'allow'],
  ['node --version', 'mise.toml', '[env]\nNODE_ENV = "test"\n[tools]\nnode = "20"\n', 'allow'],
  ['node --version', 'mise.toml', '[env]\nNODE_OPTIONS = "x"\n', 'ask'],
  ['node --version', 'mise.toml', '[env]\nPATH = "bin"\n', 'ask'],
  ['git status', '.tool-versions', 'git path:./evil\n', 'allow'],
  ['git pull; node --version', '.tool-versions', 'node 20.11.1\n', 'ask'],
];

for (const [line, file, text, expected] of rows)
  test(`${line} beside ${file} ${JSON.stringify(text)} is ${expected}`, () =>
    withFiles({ [file]: text }, (project) => assert.is(judge(project, line).decision, expected)));

test.run();
