/** cc-safety-net: it denies or lets pass, and never asks. Called through the function that its README offers for programs. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Peer } from '../peer.js';
import { answersOf } from '../programs.js';

const VERSION = '2.4.5';

function ccSafetyNet(configuration: string, variables: Readonly<Record<string, string>>): Peer {
  return {
    ...{ name: 'cc-safety-net', version: VERSION, configuration, packages: [`cc-safety-net@${VERSION}`] },
    judge: async (lines, { project, environment }, installed) => {
      const api = pathToFileURL(join(installed, 'node_modules/cc-safety-net/dist/api.js'));
      const program = `import { checkCommand } from ${JSON.stringify(api)};
        import { readFileSync } from 'node:fs';
        const kinds = JSON.parse(readFileSync(0, 'utf8')).map((command) => checkCommand({ command, cwd: process.cwd() }).kind);
        console.log(JSON.stringify(kinds));`;
      const kinds = await answersOf(program, lines, { cwd: project, environment: { ...environment, ...variables } });
      return kinds.map((kind) => (kind === 'allow' ? 'run' : 'stop'));
    },
  };
}

export const ccSafetyNetStandard = ccSafetyNet('preset Standard, its default and recommendation; it denies and never asks', {});
export const ccSafetyNetStrict = ccSafetyNet('preset Strict; it denies and never asks', { CC_SAFETY_NET_LEVEL: 'strict' });
