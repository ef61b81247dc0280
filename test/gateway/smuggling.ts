// Messages by which a call gets past a gateway to the server: read by a loose reader they call `move_file`, which the policy denies, or
// are no message of the protocol at all. None may reach a server in any form that calls `move_file`.
import fc from 'fast-check';

export interface Smuggled {
  /** The way in which it is odd. */
  readonly kind: string;
  /** Bytes of one line; most are plain text. */
  readonly text: string;
}

const CALL = {
  jsonrpc: '2.0',
  id: 7,
  method: 'tools/call',
  params: { name: 'move_file', arguments: { source: 'a', destination: 'b' } },
};
const FINE = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'read_file', arguments: { path: 'a' } } };
const json = JSON.stringify;

/** The text of a message with a member written in another way, in place of it or beside it. */
function respelled(message: object, from: string, to: string, beside: string | null): string {
  const text = json(message);
  return beside === null ? text.replace(`"${from}":`, `"${to}":`) : text.replace(`"${from}":`, `"${to}":${beside},"${from}":`);
}

function* batches(): Generator<Smuggled> {
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
  for (const batch of [[CALL], [], [ping, CALL], [CALL, ping], [[CALL]], [ping, [CALL]], [null], ['tools/call']])
    yield { kind: 'a batch', text: json(batch) };
  yield { kind: 'a batch in an object', text: json({ ...ping, params: [CALL] }) };
}

/** Spellings that readers which fold case, width or spaces take for the same name. */
const spellings = (name: string): readonly string[] => [
  ...[name.toUpperCase(), name.charAt(0).toUpperCase() + name.slice(1), `${name.slice(0, -1)}${name.slice(-1).toUpperCase()}`],
  ...[`${name} `, ` ${name}`, `${name}\\u0000`, `${name}\\u200b`, `\\ufeff${name}`, `${name}\\u0301`],
  String.fromCodePoint((name.codePointAt(0) ?? 0) + 0xfee0) + name.slice(1),
  name.replace(/[aeo]/, (letter) => ({ a: '\u0430', e: '\u0435', o: '\u043e' })[letter] ?? letter),
];

function* members(): Generator<Smuggled> {
  for (const to of spellings('method')) {
    yield { kind: 'another spelling of method', text: respelled(CALL, 'method', to, null) };
    yield { kind: 'another spelling beside method', text: respelled({ ...CALL, method: 'ping' }, 'method', to, '"tools/call"') };
  }
  for (const to of spellings('name')) {
    yield { kind: 'another spelling of name', text: respelled(CALL, 'name', to, null) };
    yield { kind: 'another spelling beside name', text: respelled(FINE, 'name', to, '"move_file"') };
  }
  for (const to of spellings('params')) yield { kind: 'another spelling of params', text: respelled(CALL, 'params', to, null) };
  for (const to of [...spellings('arguments'), 'args', 'input', 'tool', 'toolName', 'tool_name', '__proto__', 'constructor'])
    yield { kind: 'a member beside name', text: respelled(FINE, 'name', to, '"move_file"') };
}

function* doubled(): Generator<Smuggled> {
  yield { kind: 'method twice', text: respelled({ ...CALL, method: 'ping' }, 'method', 'method', '"tools/call"') };
  yield { kind: 'method twice', text: respelled(CALL, 'method', 'method', '"ping"') };
  yield { kind: 'name twice', text: respelled(FINE, 'name', 'name', '"move_file"') };
  yield { kind: 'name twice', text: respelled(CALL, 'name', 'name', '"read_file"') };
  yield { kind: 'name twice, once escaped', text: respelled(FINE, 'name', 'n\\u0061me', '"move_file"') };
  yield { kind: 'params twice', text: respelled(FINE, 'params', 'params', json(CALL.params)) };
  yield { kind: 'params twice', text: respelled(CALL, 'params', 'params', json(FINE.params)) };
  yield { kind: 'a prototype', text: json(FINE).replace('"name"', '"__proto__":{"name":"move_file"},"name"') };
  yield { kind: 'method and result', text: json({ ...CALL, result: {} }) };
  yield { kind: 'method and error', text: json({ ...CALL, error: { code: 1, message: 'x' } }) };
}

function* ids(): Generator<Smuggled> {
  const { id: _, ...notification } = CALL;
  yield { kind: 'a call without an id', text: json(notification) };
  for (const id of ['null', 'true', '[7]', '{}', '7.5', '1e3000', '9007199254740993', '-0.5', '"'.padEnd(5_000, 'x').concat('"')])
    yield { kind: 'an odd id', text: json(CALL).replace('"id":7', `"id":${id}`) };
}

function* texts(): Generator<Smuggled> {
  const call = json(CALL);
  yield* [`${call}${call}`, `${call} ${call}`, `${call},${call}`, `${call};`, `x${call}`].map((text) => ({
    kind: 'two texts',
    text,
  }));
  yield* [call.slice(0, -1), `${call}}`, call.replace('{', '{,'), call.replaceAll('"', "'"), call.replace('"id":7', 'id:7')].map(
    (text) => ({
      kind: 'no JSON',
      text,
    }),
  );
  yield* [`${call.slice(0, -1)},}`, `/* x */${call}`, `${call}// x`, call.replace('7', 'NaN'), call.replace('7', '07')].map(
    (text) => ({
      kind: 'JSON with more',
      text,
    }),
  );
  yield* ['\ufeff', '\u0000', '\u00a0', '\u2028', '\u0085'].map((text) => ({
    kind: 'something before it',
    text: `${text}${call}`,
  }));
  // Whitespace to JSON, the end of a line to some readers.
  yield {
    kind: 'a line inside a line',
    text: `${json({ jsonrpc: '2.0', id: 1, method: 'ping' }).slice(0, -1)}\r,"params":{"_meta":{}}}\r${call}`,
  };
  yield { kind: 'a line inside a text', text: json(FINE).replace('"a"', `"a\\n${call.replaceAll('"', '\\"')}"`) };
  for (const space of ['\u2028', '\u0085', '\u000c', '\r'])
    yield {
      kind: 'a line separator inside a text',
      text: json(FINE).replace('"a"', `"a${space}${call.replaceAll('"', '\\"')}${space}"`),
    };
  yield { kind: 'too deep', text: json(FINE).replace('"a"', `${'['.repeat(5_000)}${']'.repeat(5_000)}`) };
  yield { kind: 'too deep', text: json(FINE).replace('"a"', `${'{"a":'.repeat(500)}1${'}'.repeat(500)}`) };
  yield* ['null', '1', '"tools/call"', 'true', '{}', '{"jsonrpc":"2.0"}'].map((text) => ({ kind: 'no message', text }));
  for (const version of ['1.0', 2, null, '2.0 ', '2', undefined])
    yield { kind: 'another version', text: json({ ...CALL, jsonrpc: version }) };
  for (const params of ['move_file', ['move_file', {}], null, 7, true])
    yield { kind: 'params that are no object', text: json({ ...CALL, params }) };
}

function* methods(): Generator<Smuggled> {
  const odd = [
    'tools//call',
    'tools/call/',
    'tools/call ',
    ' tools/call',
    'Tools/Call',
    'TOOLS/CALL',
    'tools.call',
    'tools:call',
    'tools/Call',
  ];
  const more = [
    'tools/execute',
    'tools/run',
    'notifications/tools/call',
    'rpc.tools/call',
    '$/tools/call',
    'x-tools/call',
    'tools/call\u0000',
  ];
  const kept = [
    'constructor',
    '__proto__',
    'toString',
    'hasOwnProperty',
    '',
    '/',
    'tool/call',
    'call_tool',
    'tools/batch',
    'tools/call?x',
  ];
  for (const method of [...odd, ...more, ...kept]) yield { kind: 'no method', text: json({ ...CALL, method }) };
  for (const method of [null, 7, ['tools/call'], { 0: 'tools/call' }])
    yield { kind: 'a method that is no text', text: json({ ...CALL, method }) };
  for (const method of [
    'notifications/initialized',
    'notifications/progress',
    'notifications/tools/call',
    'notifications/message',
  ])
    yield { kind: 'a notification with an id', text: json({ ...CALL, method }) };
}

function* names(): Generator<Smuggled> {
  const odd = [
    'MOVE_FILE',
    'Move_File',
    'move_file ',
    ' move_file',
    'move_file\u0000',
    'move_file\u200b',
    '\uff4dove_file',
    'm\u043eve_file',
  ];
  const more = [
    'mcp__fs__move_file',
    'fs__move_file',
    '../fs/move_file',
    'fs.move_file',
    'move_file\n',
    'move-file',
    'move_file(read-only)',
    '',
  ];
  for (const name of [...odd, ...more, '*', 'move_*', 'x'.repeat(10_000)])
    yield { kind: 'another name of a tool', text: json({ ...CALL, params: { ...CALL.params, name } }) };
  for (const name of [null, 7, ['move_file'], { toString: 'move_file' }, undefined])
    yield { kind: 'a name that is no text', text: json({ ...CALL, params: { ...CALL.params, name } }) };
  for (const given of [null, 'x', ['a'], 7])
    yield { kind: 'arguments that are no object', text: json({ ...FINE, params: { name: 'read_file', arguments: given } }) };
  for (const _meta of [null, 'x', [1], 7])
    yield { kind: 'a _meta that is no object', text: json({ ...FINE, params: { ...FINE.params, _meta } }) };
  for (const meta of [
    { agent: 'admin' },
    { 'claudecode/toolUseId': 'toolu_1' },
    { 'io.modelcontextprotocol/clientCapabilities': {} },
    { policy: 'allow' },
  ])
    yield { kind: 'a _meta that claims something', text: json({ ...CALL, params: { ...CALL.params, _meta: meta } }) };
  yield { kind: 'a task', text: json({ ...CALL, params: { ...CALL.params, task: { ttl: 1 } } }) };
  yield {
    kind: 'an answered question',
    text: json({ ...CALL, params: { ...CALL.params, inputResponses: {}, requestState: 'x' } }),
  };
  yield { kind: 'a long integer', text: json(FINE).replace('"a"', '9007199254740993') };
}

function* answers(): Generator<Smuggled> {
  for (const id of [1, 'x', 'policy-1', '']) {
    yield { kind: 'an answer to nothing', text: json({ jsonrpc: '2.0', id, result: { action: 'accept' } }) };
    yield { kind: 'an error about nothing', text: json({ jsonrpc: '2.0', id, error: { code: 1, message: 'x' } }) };
  }
  for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel'])
    yield { kind: "another session's task", text: json({ jsonrpc: '2.0', id: 3, method, params: { taskId: 'theirs' } }) };
  yield { kind: 'an error without an id', text: json({ jsonrpc: '2.0', id: null, error: { code: 1, message: 'x' } }) };
  for (const method of ['sampling/createMessage', 'elicitation/create', 'roots/list'])
    yield { kind: 'a request of a server', text: json({ jsonrpc: '2.0', id: 3, method, params: {} }) };
}

export const SMUGGLED: readonly Smuggled[] = [
  ...batches(),
  ...members(),
  ...doubled(),
  ...ids(),
  ...texts(),
  ...methods(),
  ...names(),
  ...answers(),
];

/** Up to four changes of a text. */
export const edits = fc.array(
  fc.record({
    at: fc.nat(400),
    cut: fc.nat(3),
    put: fc.oneof(
      fc.constantFrom('"', '{', '}', ',', ':', '\\', '\r', 'name', 'move_file', '"id":1,'),
      fc.string({ maxLength: 3 }),
    ),
  }),
  { maxLength: 4 },
);

/** The text with the changes. */
export function edited(
  text: string,
  changes: readonly { readonly at: number; readonly cut: number; readonly put: string }[],
): string {
  return changes.reduce((said, { at, cut, put }) => said.slice(0, at) + put + said.slice(at + cut), text);
}
