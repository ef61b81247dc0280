/** Real clients with real servers, direct and through the gateway: every step of a session has to end in the same way. */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  base,
  endAll,
  freePort,
  gateway,
  LISTEN,
  listening,
  NODE_22,
  packaged,
  project,
  type Row,
  run,
  script,
} from './stage.js';

/** Steps of a session by their names, and what came of them. */
type Session = Readonly<Record<string, unknown>>;
type Target = { readonly url: string } | { readonly command: readonly string[]; readonly cwd: string };

const CLIENTS = {
  'SDK 1.32.2': (server: string, target: Target) => sdkSession('v1', server, target),
  'SDK 2.4.0': (server: string, target: Target) => sdkSession('v2', server, target),
  'Inspector 2.12.0': inspectorSession,
};

/** The tool that is denied. */
const DENIED: Readonly<Record<string, string>> = { everything: 'get-env', filesystem: 'move_file', conf: 'test_image_content' };

/** What the Inspector does with a server: the step, the method and its words. */
const INSPECTED: Readonly<Record<string, readonly string[]>> = {
  everything: [
    'listTools tools/list',
    'call-echo tools/call --tool-name echo --tool-arg message=m',
    'call-get-env tools/call --tool-name get-env',
    'read resources/read --uri demo://resource/static/document/features.md',
    'prompt prompts/get --prompt-name args-prompt --prompt-args city=Paris',
  ],
  filesystem: [
    'listTools tools/list',
    'call-read tools/call --tool-name read_text_file --tool-arg path=a.txt',
    'call-move_file tools/call --tool-name move_file --tool-arg source=a.txt destination=b.txt',
  ],
  conf: [
    'listTools tools/list',
    'call-text tools/call --tool-name test_simple_text',
    'read resources/read --uri test://static-text',
  ],
};

async function sdkSession(sdk: string, server: string, target: Target): Promise<Session> {
  const { stdout, stderr } = await run([NODE_22, script('client.mjs'), sdk, server, JSON.stringify(target)], 90);
  return stdout === '' ? { failed: stderr } : JSON.parse(stdout);
}

async function inspectorSession(server: string, target: Target): Promise<Session> {
  const config = join(base, 'inspector.json');
  const entry =
    'url' in target ? { type: 'http', url: target.url } : { command: target.command[0], args: target.command.slice(1) };
  writeFileSync(config, JSON.stringify({ mcpServers: { it: entry } }));
  const session: Record<string, unknown> = {};
  for (const line of INSPECTED[server] ?? []) {
    const [step = '', ...words] = line.split(' ');
    const program = [NODE_22, packaged('inspector', 'clients/launcher/build/index.js'), '--cli', '--config', config];
    const { status, stdout, stderr } = await run([...program, '--server', 'it', '--method', ...words], 60);
    session[step.replace('-', ' ')] = status === 0 ? JSON.parse(stdout) : { status, stdout, stderr };
  }
  return session;
}

/** What may differ: moments, ids, the server's name before its questions, and who may keep a list. */
function compared(name: string, step: string, said: unknown, server: string): string {
  const plain = JSON.stringify(said, (key, value) => {
    if (key === 'tools' && Array.isArray(value)) return value.filter((tool) => tool.name !== DENIED[server]);
    return key === 'cacheScope' ? 'private' : value;
  });
  const isChecked = step === 'call get-sum {"a":"x"}' && / -32602|"code":-32602/.test(plain);
  if (isChecked) return 'refused';
  return (plain ?? name)
    .replaceAll(`[MCP server ${server}] `, '')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z|\d+:\d\d:\d\d [AP]M|[0-9a-f]{8}-[0-9a-f-]{27}/g, '…');
}

/** What is wrong with a session through the gateway. */
function wrongWith(server: string, direct: Session, through: Session): readonly string[] {
  const isDenied = (step: string) => step.startsWith(`call ${DENIED[server]}`);
  const wrong: string[] = [];
  for (const step of new Set([...Object.keys(direct), ...Object.keys(through)])) {
    const [before, after] = [direct, through].map((session) => compared('missing', step, session[step], server));
    if (/^\{"(code|status|failed)"|^"missing"/.test(before ?? '')) wrong.push(`${step} fails directly: ${before}`);
    if (isDenied(step)) {
      if (!/policy denied mcp__|not found on server/.test(after ?? '') || before === after) wrong.push(`${step}: ${after}`);
    } else if (before !== after) wrong.push(`${step}: ${before?.slice(0, 300)} → ${after?.slice(0, 300)}`);
  }
  const isListed = (session: Session) => JSON.stringify(session.listTools ?? '').includes(`"name":"${DENIED[server]}"`);
  if (!isListed(direct) || isListed(through)) wrong.push('the denied tool is listed, or was not there');
  return wrong;
}

/** A session in a fresh folder; with what it did to the file that the denied tool would move. */
async function sessionWith(client: keyof typeof CLIENTS, server: string, target: Target): Promise<Session> {
  for (const name of ['b.txt', 'new.txt']) rmSync(join(project, name), { force: true });
  writeFileSync(join(project, 'a.txt'), 'a\n');
  const session = await CLIENTS[client](server, target);
  return {
    ...session,
    ...(server === 'filesystem' && {
      'call move_file did': existsSync(join(project, 'b.txt')) ? 'moved' : 'policy denied mcp__',
    }),
  };
}

/** A server: its command, its address, or both. */
async function serverNamed(server: string): Promise<{ readonly command?: readonly string[]; readonly url?: string }> {
  if (server === 'conf') return { url: await listening([NODE_22, script('conformance-server.mjs')]) };
  const program = [process.execPath, packaged(`server-${server}`, 'dist/index.js')];
  if (server === 'filesystem') return { command: [...program, project] };
  const url = await listening([...program, 'streamableHttp'], { PORT: await freePort() });
  return { command: [...program, 'stdio'], url };
}

export async function* clients(): AsyncGenerator<Row> {
  for (const server of ['everything', 'filesystem', 'conf']) {
    const { command, url } = await serverNamed(server);
    const policy = `version: 1\nallow: [mcp__${server}__*, mcp__${server}__*:*]\ndeny: [mcp__${server}__${DENIED[server]}]\n`;
    const ways = [
      ...(command === undefined ? [] : [['stdio', { command, cwd: project }, ['--', ...command]] as const]),
      ...(url === undefined ? [] : [['HTTP', { url }, ['--url', url]] as const]),
    ];
    for (const [upstream, target, words] of ways) {
      // What stands behind `--` has to be the last.
      const before = (...more: string[]) => gateway(server, policy, ...more, ...words);
      const routes = {
        stdio: { command: before(), cwd: project },
        HTTP: { url: await listening(before(...LISTEN)) },
      };
      for (const client of Object.keys(CLIENTS) as (keyof typeof CLIENTS)[]) {
        const direct = await sessionWith(client, server, target);
        for (const [route, through] of Object.entries(routes)) {
          const wrong = wrongWith(server, direct, await sessionWith(client, server, through));
          const name = `${client}, server ${server}, ${route}→${upstream}`;
          yield { name, seen: `${Object.keys(direct).length} steps`, wrong };
        }
      }
    }
    await endAll();
  }
}
