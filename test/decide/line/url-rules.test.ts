/** Rules that name an address: the host is bound, and what writes, uploads or reads files has to be written out. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { decideIn } from '../world.js';

const ROWS: readonly (readonly [rule: string, line: string, expect: 'allow' | 'ask'])[] = [
  ['curl -s http://localhost:8080/*', 'curl -s http://localhost:8080/api', 'allow'],
  ['curl -s http://localhost:8080/*', "curl -s 'http://localhost:8080/api?a=b&c=d'", 'allow'],
  ['curl -s http://localhost:8080/*', 'curl -s http://localhost:8080/ https://elsewhere -o f', 'ask'],
  ['curl -s http://localhost:8080/*', 'curl -s http://localhost:8080@evil/', 'ask'],
  ['curl -s http://localhost:8080/*', "curl -s 'http://localhost:8080/{a,b}'", 'ask'],
  ['curl -s http://localhost:8080/*', 'curl -s http://localhost:8080/$X', 'ask'],
  ['curl -s http://localhost:8080/* *', 'curl -s http://localhost:8080/api -i', 'allow'],
  ['curl -s http://localhost:8080/* *', 'curl -s http://localhost:8080/api -H "Accept: a/b"', 'allow'],
  ['curl -s http://localhost:8080/* *', 'curl -s http://localhost:8080/api evil.com', 'ask'],
  ['curl -s http://localhost:8080/* *', 'curl -s http://localhost:8080/api --url evil.com', 'ask'],
  ['curl -s http://localhost:8080/* *', 'curl -s http://localhost:8080/api -o f', 'ask'],
  ['curl -s http://localhost:8080/health *', 'curl -s http://localhost:8080/health https://evil', 'ask'],
  ['curl -s http://localhost:8080/health *', 'curl -s http://localhost:8080/health -i', 'allow'],
  ['curl * http://localhost:8080/*', 'curl evil.com http://localhost:8080/', 'ask'],
  ['curl * http://localhost:8080/*', 'curl -sS http://localhost:8080/', 'allow'],
  ['curl * http://localhost:8080/*', 'curl -sL http://localhost:8080/', 'ask'],
  ['curl -sL http://localhost:8080/*', 'curl -sL http://localhost:8080/', 'allow'],
  ['curl -o f http://localhost:8080/*', 'curl -o f http://localhost:8080/', 'allow'],
  ['curl -s -o f http://localhost:8080/x', 'curl -s -o f http://localhost:8080/x', 'allow'],
  ['curl -s example.com *', 'curl -s example.com evil.com', 'ask'],
  ['curl -so a.tgz *', 'curl -so a.tgz http://x', 'allow'],
  ['frob http://localhost/* *', 'frob http://localhost/x -v', 'allow'],
  ['frob http://localhost/* *', 'frob http://localhost/x evil.com', 'ask'],
  ['wget -q http://localhost/*', 'wget -q http://localhost/a', 'allow'],
  ['wget -q http://localhost/* *', 'wget -q http://localhost/a -O f', 'ask'],
  ...[
    ['curl *', 'curl -s -S -f -i -I http://a'],
    ['curl *', 'curl -s -o /dev/null -w "%{http_code}" http://a'],
    ['curl *', 'curl -b a=b http://a'],
    ['wget *', 'wget -qO- http://a'],
  ].map(([rule = '', line = '']) => [rule, line, 'allow'] as const),
  ...'-o f|-of|-so f|-O|-D f|-c f|-b f|-T f|-F a=@f|-d @f|--data-binary @f|-K f|-n|--netrc-file f|--unix-socket f|--trace f|--config f|--output-dir f|--upload-file f|-L|--resolve a:80:1.2.3.4|--connect-to ::b:1|--cert f|-x b|--url file:///etc/passwd'
    .split('|')
    .map((option) => ['curl *', `curl ${option} http://a`, 'ask'] as const),
  ...'-O f|-o f|-a f|-P f|--save-cookies f|--post-file f|--body-file f|-i f|-r|-e x=y|--config f'
    .split('|')
    .map((option) => ['wget *', `wget ${option} http://a`, 'ask'] as const),
];

for (const [rule, line, expect] of ROWS)
  test(`Bash(${rule}): ${line} is ${expect}`, () => {
    const { decision, message } = decideIn({ allow: [`Bash(${rule})`] }, 'Bash', line);
    assert.is(decision, expect, message);
  });

test.run();
