/** Gemini CLI's policy engine, with the policies that it ships: the library that the program is built on. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Peer } from '../peer.js';
import { answersOf } from '../programs.js';

const VERSION = '0.61.0';

export const geminiCli: Peer = {
  ...{ name: 'Gemini CLI', version: VERSION, packages: [`@google/gemini-cli-core@${VERSION}`] },
  configuration: 'its policy engine with the policies that it ships, approval mode `default`, no sandbox',
  judge: async (lines, { project, environment }, installed) => {
    const folder = join(installed, 'node_modules/@google/gemini-cli-core/dist/src/policy');
    const module = (name: string) => JSON.stringify(pathToFileURL(join(folder, name)));
    const program = `import { createPolicyEngineConfig, DEFAULT_CORE_POLICIES_DIR } from ${module('config.js')};
      import { PolicyEngine } from ${module('policy-engine.js')};
      import { readFileSync } from 'node:fs';
      const engine = new PolicyEngine(await createPolicyEngineConfig({}, 'default', DEFAULT_CORE_POLICIES_DIR, true));
      const decisions = [];
      for (const command of JSON.parse(readFileSync(0, 'utf8')))
        decisions.push((await engine.check({ name: 'run_shell_command', args: { command } }, undefined)).decision);
      console.log(); console.log(JSON.stringify(decisions));`;
    const decisions = await answersOf(program, lines, { cwd: project, environment });
    return decisions.map((decision) => (decision === 'allow' ? 'run' : 'stop'));
  },
};
