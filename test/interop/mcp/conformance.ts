/** The protocol's own suite against one server, direct and through the gateway: each check has to end in the same way. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { base, endAll, gateway, LISTEN, listening, NODE_22, packaged, type Row, run, script } from './stage.js';

const SUITES = [
  { name: '0.1.16', program: 'conformance-0.1', words: ['--suite', 'all'], passed: 44 },
  { name: '0.2.0-alpha.12, 2025-11-25', program: 'conformance-0.2', words: ['--requirements', '2025-11-25'], passed: 84 },
  // What fails here, direct too, are tasks, an extension that this SDK's server does not have.
  { name: '0.2.0-alpha.12, 2026-07-28', program: 'conformance-0.2', words: ['--requirements', '2026-07-28'], passed: 164 },
] as const;

/** Checks that end in another way through the gateway, how, and why. */
const KNOWN: ReadonlyMap<string, string> = new Map([
  // The gateway gives clients no ids of events: a stream that broke cannot be taken up, which the protocol leaves open.
  ...['server-sse-priming-event', 'server-sse-retry-field'].map((id) => [id, 'WARNING'] as const),
  ['server-sse-disconnect-resume', 'not checked'],
  // It knows which tasks there are, and answers as the extension wants; the server, without the extension, does not.
  ['sep-2663-tasks-get-invalid-task-id-32602', 'SUCCESS'],
]);

/** One tool, and all that is no tool. */
const ONE_TOOL = `version: 1
default: deny
allow: [mcp__conf__test_simple_text${['resources', 'prompts', 'completion', 'sampling', 'elicitation', 'roots'].map((one) => `, mcp__conf__${one}:*`).join('')}]
`;
const ALL = 'version: 1\nallow: [mcp__conf__*, mcp__conf__*:*]\n';
const named = (begin: string, ends: string) => ends.split(' ').map((end) => `${begin}${end}`);
/** Scenarios that need other tools, and fail when they are denied. */
const FAILING = [
  ...named('tools-call-', 'audio elicitation embedded-resource error image mixed-content sampling with-logging with-progress'),
  ...['elicitation-sep1034-defaults', 'elicitation-sep1330-enums', 'json-schema-2020-12'],
  ...named('input-required-result-', 'basic-elicitation basic-list-roots basic-sampling capability-check ignore-extra-params'),
  ...named('input-required-result-', 'missing-input-response multi-round multiple-input-requests request-state result-type'),
  ...['input-required-result-tampered-state', 'http-custom-header-server-validation', 'server-stateless'],
];

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

/** The scenarios in which something else came out than directly, and is not known. */
function differing(direct: Results, through: Results): readonly string[] {
  const told = (results: Results, scenario: string) =>
    results.get(scenario)?.filter((line) => {
      const [id = '', status] = line.split(' ');
      return !KNOWN.has(id) || (results === through && KNOWN.get(id) !== status);
    });
  const scenarios = new Set([...direct.keys(), ...through.keys()]);
  return [...scenarios].filter((one) => String(told(direct, one)) !== String(told(through, one))).sort();
}

const count = (results: Results) => [...results.values()].flat().filter((one) => one.endsWith(' SUCCESS')).length;

export async function* conformance(): AsyncGenerator<Row> {
  const server = await listening([NODE_22, script('conformance-server.mjs')]);
  const toServer = (policy: string, ...more: string[]) => gateway('conf', policy, '--url', server, ...more);
  const routes = {
    'HTTP→HTTP': await listening(toServer(ALL, ...LISTEN)),
    'HTTP→stdio→HTTP': await listening(gateway('conf', ALL, ...LISTEN, '--', ...toServer(ALL))),
  };
  const denying = await listening(toServer(ONE_TOOL, '--deny-as', 'hidden', ...LISTEN));
  for (const suite of SUITES) {
    const direct = await suiteAt(server, suite);
    const passed = count(direct);
    const few = passed === suite.passed ? [] : [`${suite.passed} were expected`];
    yield { name: `suite ${suite.name}, direct`, seen: `${passed} checks pass`, wrong: few };
    for (const [route, url] of Object.entries(routes)) {
      const through = await suiteAt(url, suite);
      const wrong = differing(direct, through).map((one) => `${one}: ${direct.get(one)} → ${through.get(one)}`);
      yield { name: `suite ${suite.name}, ${route}`, seen: `${count(through)} checks pass`, wrong };
    }
    const fail = differing(direct, await suiteAt(denying, suite));
    // The order of the list is checked where it has two tools.
    const isOrdered = direct.get('tools-list')?.includes('tools-list-deterministic-order SUCCESS');
    const expected = [...FAILING.filter((one) => direct.has(one)), ...(isOrdered ? ['tools-list'] : [])];
    const not = (a: readonly string[], b: readonly string[], how: string) =>
      a.flatMap((one) => (b.includes(one) ? [] : [`${one} ${how}`]));
    const wrong = [...not(fail, expected, 'fails'), ...not(expected, fail, 'does not fail')];
    yield { name: `suite ${suite.name}, one tool allowed`, seen: `${fail.length} scenarios fail, the tools of others`, wrong };
  }
  await endAll();
}
