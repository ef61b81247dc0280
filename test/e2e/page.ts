/** docs/conformance.md: what was seen to hold with which client. */
import { allRunners } from '../../src/runner/runners.js';
import type { Client } from './client.js';
import { CLIENTS } from './clients/list.js';
import { PROPERTIES, type Property } from './properties.js';

export interface Cell {
  readonly client: Client;
  readonly property: Property;
  /** Why it was not run. */
  readonly leftOut: string | null;
  /** What was seen instead of what has to hold. */
  readonly wrong: string | null;
}

/** The page of a whole run. */
export function conformancePage(cells: readonly Cell[]): string {
  const lines = [
    HEAD,
    `Last run: ${new Date().toISOString().slice(0, 10)} on ${process.platform} with node ${process.versions.node}.`,
    '',
  ];
  lines.push(
    `| | ${CLIENTS.map(({ runner, version }) => `${runner} ${version}`).join(' | ')} |`,
    `| --- |${' --- |'.repeat(CLIENTS.length)}`,
  );
  for (const property of PROPERTIES) {
    const row = CLIENTS.map((client) =>
      property.only?.(client) === false ? '–' : told(cells.find((cell) => cell.client === client && cell.property === property)),
    );
    lines.push(`| ${property.name.replaceAll('|', '\\|')} | ${row.join(' | ')} |`);
  }
  return `${lines.join('\n')}\n\n${otherRunners()}`;
}

function told(cell: Cell | undefined): string {
  if (cell === undefined) return 'not run';
  if (cell.leftOut !== null) return `not run: ${cell.leftOut}`;
  if (cell.wrong !== null) return '**no**';
  return cell.property.told?.(cell.client) ?? 'yes';
}

/** Those that no run covers: what is said of them rests on less, and is not called verified. */
function otherRunners(): string {
  const covered = new Set(CLIENTS.map(({ runner }) => runner));
  const lines = allRunners()
    .filter(({ id }) => !covered.has(id))
    .map(({ id, evidence: { version, payloads, answers } }) => {
      return `| ${id} | ${version} | ${payloads} | ${answers} | not run by \`npm run e2e\` |`;
    });
  return [
    '## Other runners',
    '',
    '| runner | version | payloads | answers | with the real client |',
    '| --- | --- | --- | --- | --- |',
    ...lines,
    '',
  ].join('\n');
}

const HEAD = `# Conformance

Written by \`npm run e2e\`. The real clients are installed from npm into a folder outside of the project and run without a person, in a
clean environment and a home of their own, against a model on the loopback interface that makes the calls. The hook is put in place by
\`policy install\`, in settings that hold other things already where the client has such; for Codex with the hash by which it trusts a
hook, for Gemini CLI and Copilot CLI with the folder trusted. The client's own permissions allow everything: what does not run, the hook
stopped. The proof is the disk: a marker that the command would make, and makes as soon as the hook is taken out again. The deadline is
the shipped one where hooks fail, and 20 seconds elsewhere, since the machine may be busy.
`;
