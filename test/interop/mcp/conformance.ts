/** The protocol's own suite against one server, direct and through the gateway: each check has to end in the same way. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { base, endAll, gateway, LISTEN, listening, NODE_22, packaged, run, script } from './stage.js';

export interface Row {
  readonly name: string;
  /** What was counted. */
  readonly seen: string;
  /** What is not as it has to be. */
  readonly wrong: readonly string[];
}

const SUITES = [
  { name: '0.1.16', program: 'conformance-0.1', words: ['--suite', 'all'], passed: 44 },
  { name: '0.2.0-alpha.12, 2025-11-25', program: 'conformance-0.2', words: ['--requirements', '2025-11-25'], passed: 84 },
  { name: '0.2.0-alpha.12, 2026-07-28', program: 'conformance-0.2', words: ['--requirements', '2026-07-28'], passed: 164 },
] as const;

/** Each scenario with its checks and how they ended. */
type Results = ReadonlyMap<string, readonly string[]>;

let runs = 0;
async function suiteAt(url: string, { program, words }: (typeof SUITES)[number]): Promise<Results> {
  runs += 1;
  const output = join(base, `suite-${runs}`);
  await run([NODE_22, packaged(program, 'dist/index.js'), 'server', '--url', url, ...words, '-o', output], 300);
  const results = new Map<string, string[]>();
  for (const folder of readdirSync(output)) {
    const scenario = folder.replace(/^server-(.*)-\d{4}-\d\d-\d\dT.*$/, '$1');
    const checks: { id: string; status: string }[] = JSON.parse(readFileSync(join(output, folder, 'checks.json'), 'utf8'));
    const ended = checks.filter(({ status }) => status !== 'INFO').map(({ id, status }) => `${id} ${status}`);
    results.set(scenario, [...(results.get(scenario) ?? []), ...ended].sort());
  }
  return results;
}

const difference = (a: Results, b: Results) =>
  [...new Set([...a.keys(), ...b.keys()])].filter((scenario) => String(a.get(scenario)) !== String(b.get(scenario))).sort();
const count = (results: Results) => [...results.values()].flat().filter((one) => one.endsWith(' SUCCESS')).length;

const ALL = 'version: 1\nallow: [mcp__conf__*]\n';

export async function* conformance(): AsyncGenerator<Row> {
  const server = await listening([NODE_22, script('conformance-server.mjs')]);
  const toServer = (policy: string, ...more: string[]) => gateway('conf', policy, '--url', server, ...more);
  const routes = {
    'HTTP→HTTP': await listening(toServer(ALL, ...LISTEN)),
    'HTTP→stdio→HTTP': await listening(gateway('conf', ALL, ...LISTEN, '--', ...toServer(ALL))),
  };
  for (const suite of SUITES) {
    const direct = await suiteAt(server, suite);
    yield { name: `suite ${suite.name}, direct`, seen: `${count(direct)} checks pass`, wrong: [] };
    for (const [route, url] of Object.entries(routes)) {
      const through = await suiteAt(url, suite);
      const wrong = difference(direct, through).map((one) => `${one}: ${direct.get(one)} → ${through.get(one)}`);
      yield { name: `suite ${suite.name}, ${route}`, seen: `${count(through)} checks pass`, wrong };
    }
  }
  await endAll();
}
