// Writes reports/: the audit of the demo repository, as a sample of what `policy audit` prints. `node test/audit/reports.mjs --check`
// writes nothing and fails when a report is not what it would write. Needs a build with --dist. Whatever differs from machine to
// machine (paths, times) is replaced by something that does not.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const FORMATS = { markdown: 'audit-demo-repo.md', json: 'audit-demo-repo.json' };

const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'policy-reports-')));
try {
  const reports = audit(join(scratch, 'desk'), join(scratch, 'home'), join(scratch, 'bin'));
  const stale = Object.entries(reports).filter(([name, text]) => text !== current(name));
  if (process.argv.includes('--check')) {
    for (const [name] of stale) console.error(`reports/${name} is out of date: run node test/audit/reports.mjs`);
    process.exitCode = stale.length === 0 ? 0 : 1;
  } else for (const [name, text] of stale) writeFileSync(join(root, 'reports', name), text);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function current(name) {
  try {
    return readFileSync(join(root, 'reports', name), 'utf8');
  } catch {
    return null;
  }
}

/** Audits a copy of the demo repository on a machine that has `policy` on its PATH; the reports by file name. */
function audit(project, home, bin) {
  cpSync(join(root, 'test', 'fixtures', 'demo-repo'), project, { recursive: true });
  mkdirSync(home);
  mkdirSync(bin);
  symlinkSync(join(root, 'bin', 'policy.js'), join(bin, 'policy'));
  const env = { PATH: `${bin}:${dirname(process.execPath)}:/usr/bin:/bin`, HOME: home };
  const policy = (...args) => {
    const { status, stderr } = spawnSync(process.execPath, [join(root, 'bin', 'policy.js'), ...args], {
      cwd: project,
      env,
      encoding: 'utf8',
    });
    if (status === null || status > 1) throw new Error(`policy ${args.join(' ')} ended with ${status}:\n${stderr}`);
  };
  policy('audit', ...Object.entries(FORMATS).flatMap(([format, name]) => ['--output', `${format}=${join(scratch, name)}`]));
  return Object.fromEntries(
    Object.entries(FORMATS).map(([format, name]) => {
      const text = settled(readFileSync(join(scratch, name), 'utf8'), project, home);
      return [name, format === 'json' ? `${JSON.stringify(JSON.parse(text), null, 2)}\n` : text];
    }),
  );
}

/** The text with everything replaced that another machine or minute would print differently. */
function settled(text, project, home) {
  return text
    .replaceAll(project, '/home/you/desk')
    .replaceAll(home, '/home/you')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '2026-01-01T00:00:00.000Z')
    .replace(/\b\d{1,2} [A-Z][a-z]+ \d{4}, \d\d:\d\d UTC/g, '1 January 2026, 00:00 UTC')
    .replace(/\b\d+ ms\b/g, '0 ms')
    .replace(/("milliseconds":)\d+/g, '$10')
    .replace(/("toolVersion":")[^"]*|(tool {7}policy )\S+/g, (_, inJson, inText) => `${inJson ?? inText}0.0.0`);
}
