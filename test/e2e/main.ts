/**
 * `npm run e2e [-- WORD [SESSION]]`: the real clients (whose name holds WORD; only what SESSION shows) against a model on the loopback interface. Without WORD the
 * result becomes docs/conformance.md. Exit 1 when a property does not hold.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, folderOf, programOf } from './client.js';
import { CLIENTS } from './clients/list.js';
import { type Cell, conformancePage } from './page.js';
import { PROPERTIES } from './properties.js';
import { type SessionName, sessionOf } from './sessions.js';
import { type RunEnd, runClient } from './stage.js';

/** The clients are large and under licences of their own: they stay out of the project. */
const INSTALLED = process.env.POLICY_E2E_CLIENTS ?? join(tmpdir(), 'policy-e2e-clients');

/** The client's program, installed when it is not there yet; null when npm cannot get it. */
function installed(client: Client): string | null {
  const found = programOf(client, INSTALLED);
  if (found !== null) return found;
  const folder = join(INSTALLED, folderOf(client));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  spawnSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', client.package], { cwd: folder, stdio: 'inherit' });
  return programOf(client, INSTALLED);
}

async function tryClient(client: Client): Promise<readonly Cell[]> {
  const program = installed(client);
  const cells: Cell[] = [];
  const ends = new Map<SessionName, RunEnd>();
  const session = async (name: SessionName, from: string): Promise<RunEnd> => {
    const end = ends.get(name) ?? (await runClient(client, from, sessionOf(name, client)));
    ends.set(name, end);
    return end;
  };
  for (const property of PROPERTIES) {
    if (only !== undefined && property.session !== only) continue;
    if (property.only?.(client) === false) continue;
    const leftOut = program === null ? 'npm could not install it' : null;
    const wrong = program === null ? null : property.holds(await session(property.session, program), client);
    cells.push({ client, property, leftOut, wrong });
    console.log(
      `${client.runner} ${client.version}: ${property.name}: ${leftOut !== null ? `not run: ${leftOut}` : (wrong ?? 'holds')}`,
    );
  }
  return cells;
}

const [, , word, only] = process.argv;
const cells: Cell[] = [];
for (const client of CLIENTS) if (word === undefined || folderOf(client).includes(word)) cells.push(...(await tryClient(client)));
if (word === undefined) writeFileSync('docs/conformance.md', conformancePage(cells));
const broken = cells.filter(({ wrong }) => wrong !== null).length;
console.log(`${cells.length} cells, ${broken} do not hold`);
process.exitCode = broken === 0 && cells.length > 0 ? 0 : 1;
