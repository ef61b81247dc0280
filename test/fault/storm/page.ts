/** docs/evidence/storm.md: many hooks at once, and many that are killed. */
import { readFileSync } from 'node:fs';
import type { Crowd } from './crowd.js';
import type { Killed } from './kills.js';

export interface Storm extends Crowd {
  readonly workers: number;
  readonly runs: number;
  /** As many at once in a state directory that is not there yet. */
  readonly first: Crowd;
}

export function stormPage({ workers, runs, first, ...crowd }: Storm, kills: readonly Killed[]): string {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const { answers, unheard } = crowd;
  const number = (value: number) => value.toLocaleString('en-US');
  const total = (of: (kind: Killed) => number) => number(kills.reduce((sum, kind) => sum + of(kind), 0));
  return `# Storm

Written by \`npm run storm -- ${workers} ${runs} ${kills.reduce((sum, kind) => sum + kind.kills, 0)} --page\`: run of ${new Date().toISOString().slice(0, 10)}, agent-policy ${version}, node ${process.versions.node}, ${process.platform}.

## Many at once

${workers} workers, each of which starts ${number(runs)} hooks one after another: every call is a process of its own, started through \`sh\` by the
installed command line, with a payload and an id of its own; every second call is denied by the policy. Afterwards each answer is
compared with the log, which is read line by line and not by our own reader.

| | |
| --- | ---: |
| hook processes | ${number(crowd.calls)} |
| records of them in the log | ${number(crowd.records)} |
| torn lines | ${number(crowd.torn)} |
| lost: the hook answered, and there is no record | ${number(crowd.lost)} |
| recorded twice | ${number(crowd.twice)} |
| recorded with another decision or id than answered | ${number(crowd.otherwise)} |
| denied calls that would have run | ${number(crowd.falseAllows)} |
| answers: no objection, as the policy says | ${number(answers.passed)} |
| answers: denied by the rule, as the policy says | ${number(answers.rule)} |
| answers: denied, since it could not be logged | ${number(answers.unlogged)} |
| answers: denied by the line, which heard nothing from the hook; recorded, and not | ${number(unheard.recorded)} + ${number(unheard.unrecorded)} |
| other answers | ${number(answers.other)} |
| seconds (a machine with other work, lowest priority) | ${number(Math.round(crowd.seconds))} |

The first call of all makes the state directory, the key and the snapshot. ${first.calls} such calls at the same moment: ${first.records} records,
${first.torn} torn, ${first.lost} lost, ${first.falseAllows} denied calls that would have run.

The deadline of the line is 120 seconds here: a hook that is ended by it would only hide what became of its record.

## Killed

\`kill -9\` at a random moment, of the hook (four times of five) or of what watches over it. After each kill, what a killed hook could
have blocked is tried; in the end the next call has to be judged as before, and \`policy log seal\` and \`policy log verify\` have to find
nothing wrong.

| the hook was busy with | kills | ended before it had answered | recorded all the same | denied calls that would have run | unreadable lines | free only in the next turn | stuck |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
${kills.map((kind) => `| ${[kind.name, kind.kills, kind.cut, kind.recorded, kind.open, kind.torn, kind.late, kind.stuck.length].join(' | ')} |`).join('\n')}
| all | ${[total((kind) => kind.kills), total((kind) => kind.cut), total((kind) => kind.recorded), total((kind) => kind.open), total((kind) => kind.torn), total((kind) => kind.late), total((kind) => kind.stuck.length)].join(' | ')} |

"Free only in the next turn": what watches over the hook was killed, and the hook, which nobody heard any more, went on and noted that a
subagent runs (or it was killed itself just after it had). The start was denied, but counts as running until the turn ends.
`;
}
