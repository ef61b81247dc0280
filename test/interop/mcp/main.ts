/**
 * `npm run interop-mcp [-- WORD …]`: the gateway against the protocol's own suite (`suite`), real clients and servers (`clients`), and
 * mutated sessions in memory (`sessions`). Without a word all of them, and the result becomes docs/evidence/mcp-interop.md. Exit 1 on a
 * difference.
 */
import { writeFileSync } from 'node:fs';
import { clients } from './clients.js';
import { conformance } from './conformance.js';
import { sessions } from './sessions.js';
import { close, install, type Row } from './stage.js';

const PARTS = { suite: conformance, clients, sessions };
const HEAD = `# The MCP gateway with other programs

Written by \`npm run interop-mcp\`, which installs the protocol's own suite (\`@modelcontextprotocol/conformance\`), clients and servers from npm into
the folder for temporary files and runs them on the loopback interface. A row is the same when each check of the suite, or each step of a
client's session, ends through \`policy mcp gateway\` as it does directly. The arrows tell what carries the messages, from the client to the server.

What differs, and is left out of the comparison:

- The gateway gives clients over HTTP no ids of events, so three checks about streams that broke do not pass (\`server-sse-polling\`, 2025-11-25).
- It refuses \`tasks/get\` for a task that no call has made, as the extension for tasks wants; the server, without the extension, does not.
- A question to the person bears the server's name, lists are \`private\` to caches, arguments that do not fit the schema get -32602 from the gateway.
- Moments, random ids, and whether a client takes the last note of progress, which comes together with the result.

One tool is denied in each session: it is not listed, and a call of it is refused. Where the suite meets a policy that allows one tool,
exactly the scenarios that need another tool fail. Mutated sessions are changed by chance and read again by a second, strict reader.
`;

const words = process.argv.slice(2);
const rows: Row[] = [];
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => close().then(() => process.exit(3)));
try {
  if (words.length === 0 || words.some((word) => word !== 'sessions')) await install();
  for (const [name, part] of Object.entries(PARTS))
    for await (const row of words.length === 0 || words.includes(name) ? part() : []) {
      rows.push(row);
      console.log(`${row.wrong.length === 0 ? 'ok ' : 'BAD'} ${row.name}: ${row.seen}`);
      for (const line of row.wrong) console.log(`      ${line}`);
    }
} finally {
  await close();
}
const bad = rows.filter(({ wrong }) => wrong.length > 0).length;
console.log(`${rows.length} rows, ${bad} with a difference`);
process.exitCode = rows.length > 0 && bad === 0 ? 0 : 1;
if (words.length === 0) {
  const when = `Last run: ${new Date().toISOString().slice(0, 10)} on ${process.platform} with node ${process.versions.node}.`;
  const lines = rows.map(({ name, seen, wrong }) => `| ${name} | ${seen} | ${wrong.length === 0 ? 'yes' : '**no**'} |`);
  writeFileSync(
    'docs/evidence/mcp-interop.md',
    [HEAD, when, '', '| | seen | the same |', '| --- | --- | --- |', ...lines, ''].join('\n'),
  );
}
