/** docs/evidence/run-storm.md: many runs at once, and many that are killed. */
import { readFileSync } from 'node:fs';
import type { Storm } from './storm.js';

export function runStormPage(runs: number, kills: number, storms: readonly Storm[]): string {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const row = (what: string, of: (storm: Storm) => string | number | boolean) => `| ${[what, ...storms.map(of)].join(' | ')} |`;
  return `# Many runs at once

Written by \`npm run run-storm -- ${runs} ${kills} --page\`: run of ${new Date().toISOString().slice(0, 10)}, agent-policy ${version}, node ${process.versions.node}, ${process.platform}.

${runs} processes of \`policy run\` are started at the same moment in one project, three times: each is refused or let in at once; each waits
for its turn (\`--queue\`); each waits for its turn, and ${kills} of them are killed with SIGKILL while they wait, start or work. The agent is a
small program that writes down when it begins and when it ends. The order of the queue is that of the record of running agents.

| | ${storms.map(({ name }) => name).join(' | ')} |
| --- |${storms.map(() => ' ---: |').join('')}
${[
  row('runs', ({ started }) => started),
  row('completed', ({ completed }) => completed),
  row('refused, since another was running', ({ refused }) => refused),
  row('killed', ({ killed }) => killed),
  row('of these, while the agent worked', ({ killedAtWork }) => killedAtWork),
  row('other ends', ({ odd }) => odd.length),
  row('most agents at work at the same moment', ({ mostAtOnce }) => mostAtOnce),
  row('let in before one that had asked earlier', ({ overtaken }) => overtaken),
  row('agents that worked without a record', ({ lostRecords }) => lostRecords),
  row('records that still say that the run goes on', ({ stillRunning }) => stillRunning),
  row('processes left over', ({ orphans }) => orphans),
  row('the next run could not start', ({ stuck }) => (stuck ? 'yes' : 'no')),
  row('seconds', ({ seconds }) => seconds.toFixed(0)),
  row('seconds of a processor, for each run', ({ cpuSeconds, started }) => (cpuSeconds / started).toFixed(2)),
].join('\n')}

The seconds are those of a machine with other work.
`;
}
