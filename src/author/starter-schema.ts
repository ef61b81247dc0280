/** Where an editor finds the schema of a policy: a file of this program, since it is published nowhere else. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isInside } from '../disk/inside.js';

const SCHEMA = 'schemas/policy.schema.json';
const INSTALLED = `node_modules/agent-policy/${SCHEMA}`;

/**
 * Returns the schema for a policy of the project: the one installed in the project, which is the same for everyone who works
 * there; else that of the running program. A path in a person's home directory is only used for that person's own policy (no
 * project); null if there is none.
 */
export function schemaFor(project: string | null, home: string): string | null {
  if (project !== null && existsSync(join(project, INSTALLED))) return `./${INSTALLED}`;
  const own = ownSchema();
  return own === null || (project !== null && isInside(own, home)) ? null : own;
}

/** The built programs are one or two folders below the package. */
function ownSchema(): string | null {
  const candidates = ['../', '../../', '../../../', '../../../../'].map((up) =>
    fileURLToPath(new URL(up + SCHEMA, import.meta.url)),
  );
  return candidates.find((file) => existsSync(file)) ?? null;
}
