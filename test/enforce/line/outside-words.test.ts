/** Rules of a project for its own tools end at its edge; formatters change no protected file that they are given. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { judgeIn, judgeUnder } from '../judged-line.js';
import { withFiles } from '../scratch.js';

const judge = judgeIn(`version: 1
preset: safe
allow:
  - Bash(npm run build *)
  - Bash(pnpm test *)
  - Bash(yarn build *)
  - Bash(npx biome check *)
  - Bash(npx prettier *)
  - Bash(uv run ruff check *)
  - Bash(make test *)
  - Bash(python3 -m pytest *)
  - Bash(pnpm lint --out /tmp/report.json)
  - Bash(rsync *)
  - Bash(NODE_ENV=* npm test)
  - Edit(//tmp/reports/**)
`);
const FILES = {
  'package.json': '{"scripts":{"build":"x","test":"x","lint":"x"}}',
  'src/a.ts': '',
  '.claude/settings.json': '{}',
  '.claude/hooks/x.py': '',
  '.mcp.json': '{}',
  '.env': 'KEY=1',
  '.env.example': 'KEY=',
  '.gitignore': '.env\n',
};

const ROWS: readonly (readonly [line: string, expected: 'allow' | 'ask' | 'deny', why: string])[] = [
  ['npm run build', 'allow', 'as the rule says'],
  ['npm run build -- --outDir dist --mode=production', 'allow', 'words of the project'],
  ['npm run build -- --outDir @/dist', 'allow', 'a whole path in it'],
  ['cd src && npm run build -- --outDir ../dist', 'allow', 'a folder of the project from one below'],
  ['npm run build > /dev/null', 'allow', 'no word of the command'],
  ['npm run build -- --log /dev/null', 'allow', 'it keeps nothing'],
  ['npm run build -- --out /tmp/reports/a.json', 'allow', 'a rule about edits covers it'],
  ['npm run build -- --outDir ../other --emptyOutDir', 'ask', 'a folder beside the project'],
  ['npm run build -- --outDir=/srv/x', 'ask', 'the value of an option'],
  ['npm run build -- --outDir dist/../../x', 'ask', 'a way out'],
  ['npm run build -- "~/x"', 'ask', 'the home as a text'],
  ['pnpm test --coverage.reportsDirectory=../x', 'ask', 'by another manager'],
  ['yarn build --api=https://example.com', 'ask', 'an address'],
  ['make test OUT=/srv/x', 'ask', 'a variable of make'],
  ['python3 -m pytest --basetemp=/srv/x', 'ask', 'a module'],
  ['pnpm lint --out /tmp/report.json', 'allow', 'a rule writes it out'],
  ['rsync src /srv/x', 'allow', 'a program that is not about the project'],

  ['npx biome check --write src', 'allow', 'a folder'],
  ['npx biome check --write .', 'allow', 'the project'],
  ['npx biome check --write .claude/settings.json', 'deny', 'settings'],
  ['npx prettier --write src/a.ts .mcp.json', 'ask', 'servers'],
  ['uv run ruff check --fix src', 'allow', 'a folder'],
  ['uv run ruff check --fix ../x', 'ask', 'a folder beside the project'],
  ['uv run ruff check --fix .claude/hooks/x.py', 'deny', 'a hook'],

  ['NODE_ENV=test npm test', 'allow', 'any value of a variable, also one that is known to be harmless'],
  ['NODE_ENV=test npm test -- x', 'ask', 'with more words'],
  ['cp .env.example .env', 'ask', 'secrets would be lost'],
  ['cp .env.example .env.local', 'ask', 'it may come to hold secrets'],
  ['tee .env < .env.example', 'ask', 'the same'],
  ['mv src/a.ts .env', 'ask', 'the same'],
];

for (const [line, expected, why] of ROWS)
  test(`${line} is ${expected}: ${why}`, () =>
    withFiles(FILES, (project) => {
      const { decision, reasons } = judge(project, line.replaceAll('@', project));
      assert.is(decision, expected, JSON.stringify(reasons));
    }));

const EVERYWHERE = judgeUnder('version: 1\npreset: safe\n');
test('without a rule the reason is the rule that is missing', () => {
  withFiles(FILES, (project) => assert.is(EVERYWHERE(project, 'npm run build -- --outDir dist').decision, 'ask'));
});

test.run();
