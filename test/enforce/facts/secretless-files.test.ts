/** Files of names that secrets have: read without a question only where their text shows that they hold none. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { judgeUnder } from '../judged-line.js';
import { withFiles } from '../scratch.js';

const judge = judgeUnder('version: 1\npreset: safe\n');
const block = (kind: string, body = 'MIIBIjANBgkqhkiG9w0B\nAQEFAAOC==\n') =>
  `-----BEGIN ${kind}-----\n${body}-----END ${kind}-----\n`;

const PLAIN: readonly (readonly [file: string, text: string])[] = [
  ['.npmrc', '# See:\n# https://docs.example.com/guides/functions/import-maps#importing-from-private-registries\n'],
  ['.envrc', 'use flake\n# tools\nPATH_add bin\nexport CGO_ENABLED=0\n'],
  ['.envrc', 'layout python3\nsource_up\nexport PORT=8080\n'],
  ['keys/public_key.pem', 'x\n'],
  ['.envrc', 'x\n'],
  ['keys/release.pem', block('PUBLIC KEY')],
  ['keys/ca.pem', block('CERTIFICATE') + block('CERTIFICATE')],
];

const HOLDING: readonly (readonly [file: string, text: string])[] = [
  ['.npmrc', '# https://docs.example.com/npm_abcdefghijklmnopqrstuvwxyz0123\n'],
  ['.npmrc', '# https://user:hunter2hunter2hunter2@docs.example.com/\n'],
  ['.envrc', 'export API_KEY=abc\n'],
  ['.envrc', 'export PORT=abcdefghijklmnopqrstuvwxyz\n'],
  ['.envrc', 'source ./x\n'],
  ['.envrc', '# token abc\n'],
  ['.env', ''],
  ['keys/a.pem', ''],
  ['.envrc', './xy\n'],
  ['keys/a.pem', block('PRIVATE KEY')],
  ['keys/a.pem', block('PUBLIC KEY') + block('RSA PRIVATE KEY')],
  ['keys/a.pem', `${block('PUBLIC KEY')}hunter2\n`],
  ['.env', 'PORT=1\n'],
  ['.envrc', '-> ../elsewhere'],
];

for (const [file, text] of PLAIN)
  test(`${file} is read: ${JSON.stringify(text.slice(0, 40))}`, () => {
    withFiles({ [file]: text, 'a.txt': '' }, (project) => {
      for (const line of [`cat ${file}`, 'grep -rn x .']) assert.is(judge(project, line).decision, 'allow', line);
    });
  });

for (const [file, text] of HOLDING)
  test(`${file} is asked about: ${JSON.stringify(text.slice(0, 40))}`, () => {
    withFiles({ [file]: text, 'a.txt': '' }, (project) => {
      for (const line of [`cat ${file}`, 'grep -rn x .']) assert.is.not(judge(project, line).decision, 'allow', line);
    });
  });

test.run();
