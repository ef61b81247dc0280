/** Where an editor finds the schema of a policy: a file of this program, since it is published nowhere else. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isInside } from '../disk/inside.js';

const SCHEMA = 'schemas/policy.schema.json';
const INSTALLED = `node_modules/agent-policy/${SCHEMA}`;

/**
 * The schema as a policy of the project names it: installed in the project, as everybody who works there has it; else the one of the
 * program that runs. A path in somebody's home folder is for that person's own policy (no project) only; null where there is none.
 */
export function schemaFor(project: string | null, home: string): string | null {
  if (project !== null && existsSync(join(project, INSTALLED))) return `./${INSTALLED}`;
  const own = ownSchema();
  return own === null || (project !== null && isInside(own, home)) ? null : own;
}

/** Built programs lie in one folder or two below the package. */
function ownSchema(): string | null {
  const candidates = ['../', '../../', '../../../', '../../../../'].map((up) =>
    fileURLToPath(new URL(up + SCHEMA, import.meta.url)),
  );
  return candidates.find((file) => existsSync(file)) ?? null;
}
