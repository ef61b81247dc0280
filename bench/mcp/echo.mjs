// A minimal MCP server with one tool, which gives its argument back: on standard input and output, or with `--http` at the address that
// it prints, where each session is a connection of the client.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';

const TOOL = {
  name: 'echo',
  inputSchema: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
};
const ANSWERS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'echo', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools: [TOOL] }),
  'tools/call': ({ arguments: { message } }) => ({ content: [{ type: 'text', text: message }] }),
};

/** The answer to a message; null to one that is no request. */
function answered(text) {
  const { id, method, params } = JSON.parse(text);
  return id === undefined ? null : JSON.stringify({ jsonrpc: '2.0', id, result: ANSWERS[method](params ?? {}) });
}

if (process.argv.includes('--http')) {
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part) => {
      text += part;
    });
    request.once('end', () => {
      const answer = request.method === 'POST' ? answered(text) : null;
      if (answer === null) return response.writeHead(request.method === 'GET' ? 405 : 202).end();
      const session = text.includes('"initialize"') ? { 'mcp-session-id': randomUUID() } : {};
      response.writeHead(200, { 'content-type': 'application/json', ...session }).end(answer);
    });
  });
  server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/mcp`));
} else {
  let held = '';
  process.stdin.setEncoding('utf8').on('data', (part) => {
    const lines = (held + part).split('\n');
    held = lines.pop();
    for (const line of lines) {
      const answer = answered(line);
      if (answer !== null) process.stdout.write(`${answer}\n`);
    }
  });
}
