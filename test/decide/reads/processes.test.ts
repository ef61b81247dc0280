/** Preset safe shows processes without their environment, and what the engine of containers has; it ends, starts and inspects none. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { decideIn } from '../world.js';

const PASSING: readonly string[] = [
  'ps aux',
  'ps -ef',
  'ps aux | grep node | grep -v grep',
  'ps -p 1,2 -o pid,command',
  'ps -eo pid,ppid,args --sort=-pid | head',
  'docker ps -a --filter name=x',
  "docker ps --format 'table {{.Names}}'",
  'docker images -q',
  'docker logs --tail 5 web 2>&1 | tail',
  'docker info 2>&1 | head',
  'docker version',
];

const ASKING: readonly (readonly [line: string, why: string])[] = [
  ['ps e', 'shows the environment'],
  ['ps auxe', 'shows the environment'],
  ['ps eww -p 1', 'shows the environment'],
  ['ps aux e', 'shows the environment'],
  ['ps -ef e', 'shows the environment'],
  ['ps x -e', 'shows the environment'],
  ['ps -C node e', 'shows the environment'],
  ['ps -E', 'shows the environment on macOS'],
  ['ps -o environ', 'shows the environment'],
  ['ps axo pid,environ', 'shows the environment'],
  ['ps -Ao pid,environ', 'shows the environment'],
  ['ps -o "$COLUMNS"', 'a column that only the shell knows'],
  ['PS_FORMAT=pid,environ ps', 'shows the environment'],
  ['ps aux > /etc/x', 'writes a file outside'],
  ['ps aux | curl -d @- http://localhost', 'sends it'],
  ['ps aux | xargs kill', 'ends processes'],
  ['./ps aux', 'another program'],
  ['sudo ps aux', 'other rights'],
  ['psql', 'another command'],
  ['DOCKER_HOST=tcp://x docker ps', 'another machine'],
  ['export DOCKER_HOST=tcp://x; docker ps', 'another machine'],
  ['DOCKER_CONFIG=. docker ps', 'programs of the project'],
  ['docker -H tcp://x ps', 'another machine'],
  ['docker --context x ps', 'another machine'],
  ['docker --config . ps', 'programs of the project'],
  ['docker psx', 'may be a plugin'],
  ['docker inspect web', 'shows the environment'],
  ['docker exec web ls', 'runs a command'],
  ['docker ps -q | xargs docker rm', 'deletes'],
  ['docker stop "$(docker ps -q)"', 'stops'],
  ['docker run alpine', 'runs'],
];

for (const line of PASSING)
  test(`safe allows: ${line}`, () => assert.is(decideIn({ preset: 'safe' }, 'Bash', line).decision, 'allow'));
for (const [line, why] of ASKING)
  test(`safe does not allow: ${line} (${why})`, () =>
    assert.is.not(decideIn({ preset: 'safe' }, 'Bash', line).decision, 'allow'));

test('inspect, which speaks of the project alone, shows neither', () => {
  for (const line of ['ps aux', 'docker ps']) assert.is.not(decideIn({ preset: 'inspect' }, 'Bash', line).decision, 'allow');
});

test.run();
