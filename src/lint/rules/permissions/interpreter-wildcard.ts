import { commandOpenedBy, wideGrants } from '../../commands/wide-commands.js';
import type { LintRule } from '../../project/rule.js';

export const interpreterWildcard: LintRule = {
  id: 'permissions/interpreter-wildcard',
  severity: 'error',
  confidence: 'high',
  persona: 'reviewer',
  docs: {
    what: 'A rule allows an interpreter or a runner of packages with anything behind it.',
    why: 'Bash(python *) allows every program that can be written in a line, so every other rule can be walked around.',
    bad: 'allow:\n  - Bash(python *)\n',
    good: 'allow:\n  - Bash(python scripts/report.py *)\n',
    fix: 'Name the script or the package that may run.',
  },
  check: (project) =>
    wideGrants(
      project,
      'interpreter',
      (command) =>
        isOwnCode(command)
          ? `lets ${command} run what files of the project say, also one that was written just now.`
          : `allows any code: ${command} runs whatever follows it.`,
      (command) => (isOwnCode(command) ? { severity: 'info', help: `Name the tasks that may run: ${command} test.` } : {}),
    ),
};

/** A tool of the build is not as wide as an interpreter: nobody is surprised that people who edit the project can change it. */
function isOwnCode(command: string): boolean {
  return commandOpenedBy(`${command} *`, 'own-code') !== null;
}
