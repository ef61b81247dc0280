// A policy that does not count stops harmless calls, too, where a coding agent cannot ask: that is one finding, and no fault of the hook.
import { realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { AuditReport } from '../../src/audit/model/report.js';
import { CLEAN_REPOSITORY, insideAgent, policy, scratch } from '../cli/spawned.js';
import { clientFolder } from './audited.js';

const test = suite('an audit of a policy that does not count');
const check = insideAgent ? test.skip : test;
const RULES = 'security: { disable_bypass_permissions: true }\nbudget: { calls: 100 }\nisolation: container\n';

const cases: readonly (readonly [what: string, text: string | null, expected: Readonly<Record<string, string>>, why: RegExp])[] =
  [
    [
      'nobody trusts it',
      `version: 1\npreset: safe\n${RULES}`,
      { 'AS-1/trusted': 'warning' },
      /^policy\.yaml is not trusted, so it allows nothing, .* run `policy trust`\.$/,
    ],
    [
      'there is none',
      null,
      { 'AS-1/present': 'error', 'RM-4/lock': 'error', 'AS-9/budget': 'warning' },
      /^No policy allows anything, .* Run `policy init`\.$/,
    ],
    [
      'it stops them itself',
      `version: 1\ndeny: ["Bash(git *)"]\n${RULES}`,
      { 'AS-1/trusted': 'warning' },
      /^The policy itself stops this call/,
    ],
  ];
for (const [what, text, expected, why] of cases)
  check(`gemini-cli, ${what}`, () => {
    const home = realpathSync(scratch({}));
    const cwd = realpathSync(scratch(CLEAN_REPOSITORY));
    if (text !== null) writeFileSync(join(cwd, 'policy.yaml'), text);
    const env = { HOME: home, PATH: `${clientFolder('gemini')}:${process.env.PATH ?? ''}` };
    const run = (...args: readonly string[]) => policy(args, { cwd, env });
    assert.is(run('install', 'gemini-cli', '--yes').status, 0);
    const report = JSON.parse(run('audit', '--runner', 'gemini-cli', '--format', 'json').stdout) as AuditReport;
    const told = report.findings.filter(
      ({ severity, control }) => severity !== 'info' && control !== 'AS-7' && control !== 'AS-10',
    );
    assert.equal(Object.fromEntries(told.map(({ control, claim, severity }) => [`${control}/${claim}`, severity])), expected);
    for (const [id, claim] of [
      ['RM-2', 'resumes'],
      ['RM-4', 'passes'],
      ['AS-4', 'answers'],
    ]) {
      const found = report.controls.find((one) => one.id === id)?.claims.find((one) => one.id === claim);
      assert.is(found?.verdict, 'unproven');
      assert.match(found?.unproven ?? '', why);
    }
    assert.is(report.confirmed, false);
  });

test.run();
