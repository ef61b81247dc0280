/** The programs by which the installed line starts the hook may be replaced by no agent, whatever a rule says. */
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { ToolCall } from '../../../src/call/tool-call.js';
import { decide } from '../../../src/decide/decide.js';
import { analyse } from '../../../src/decide/flow/analysis.js';
import { compilePolicy } from '../../../src/decide/policy/compile.js';
import { gatherFacts } from '../../../src/enforce/facts/gather.js';
import { composePolicy } from '../../../src/policy/compose.js';
import { parsePolicy } from '../../../src/policy/document.js';
import { withFiles } from '../scratch.js';

const { document } = parsePolicy('version: 1\nallow: ["Bash(*)", "Write"]\n', {
  file: 'policy.yaml',
  format: 'yaml',
  layer: 'project',
});
if (document === null) throw new Error('the policy is none');
const ANYTHING = compilePolicy(composePolicy([{ layer: 'project', trusted: true, document }], { repository: null }).policy);

const FILES = {
  'repo/bin/tool': 'x',
  'repo/src/env': 'x',
  'repo/evil/sh': 'x',
  'repo/link': '-> /usr/bin/env',
  'home/.local/bin/x': 'x',
};

/** `~` stands for the home; PATH holds `bin` of the project and `.local/bin` of the home before the system's folders. */
const lines: readonly (readonly [answer: 'allow' | 'deny', line: string, why: string])[] = [
  ['deny', 'cp evil/sh /usr/bin/timeout', 'the deadline'],
  ['deny', 'echo x > /usr/bin/env', 'what empties the environment'],
  ['deny', 'ln -sf evil/sh /bin/sh', 'the shell'],
  ['deny', 'mv evil/sh /usr/bin/sh', 'by its other name'],
  ['deny', 'rm /usr/bin/timeout', 'without it nothing is asked'],
  ['deny', 'echo x > link', 'through a link of the project'],
  ['deny', 'cp evil/sh ~/.local/bin/sh', 'found before the system’s'],
  ['deny', 'cp evil/sh ~/.local/bin/', 'the same by the name of the source'],
  ['deny', 'install -m 755 evil/sh bin/timeout', 'in a folder of the project that PATH names'],
  ['deny', 'echo x > bin/env', 'written there'],
  ['deny', 'tee bin/node < evil/sh', 'node itself'],
  ['allow', 'echo x > src/env', 'a folder that is not in PATH'],
  ['allow', 'echo x > bin/tool', 'another program'],
  ['allow', 'cp bin/tool ~/.local/bin/', 'another program'],
  ['allow', 'rm -rf bin', 'the folder holds none of them'],
  ['allow', '/usr/bin/env ls', 'it is only run'],
  ['allow', 'cat /usr/bin/env > src/env', 'it is only read'],
  ['allow', "docker exec x /bin/sh -c 'ls'", 'the shell of a container'],
];

for (const [answer, line, why] of lines)
  test(`${line}: ${answer}, ${why}`, () => assert.is(decided('Bash', { command: line }), answer));

test('a tool that writes files is held to it, too', () => {
  assert.is(decided('Write', { file_path: '/usr/bin/timeout', content: 'x' }), 'deny');
  assert.is(decided('Write', { file_path: 'bin/sh', content: 'x' }), 'deny');
  assert.is(decided('Write', { file_path: 'src/env', content: 'x' }), 'allow');
});

function decided(tool: string, input: Record<string, unknown>): string {
  return withFiles(FILES, (folder) => {
    const project = join(folder, 'repo');
    const home = join(folder, 'home');
    const call: ToolCall = { tool, input, cwd: project, headless: false, shell: 'bash' };
    const analysis = analyse(call);
    const environment = { PATH: `${home}/.local/bin:${project}/bin:/usr/bin:/bin` };
    const around = { project, home, platform: 'linux', environment, ownDirectories: [], budget: null } as const;
    return decide(ANYTHING, call, gatherFacts(analysis, project, around), analysis).decision;
  });
}

test.run();
