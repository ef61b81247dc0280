import { wideGrants } from '../../commands/wide-commands.js';
import type { LintRule } from '../../project/rule.js';

export const privilegedWildcard: LintRule = {
  id: 'permissions/privileged-wildcard',
  severity: 'error',
  confidence: 'high',
  persona: 'reviewer',
  docs: {
    what: 'A rule allows a command that reaches beyond the user or the machine, with anything behind it.',
    why: 'sudo, docker, kubectl and cloud clients have more rights than the project needs.',
    bad: 'allow:\n  - Bash(docker *)\n',
    good: 'ask:\n  - Bash(docker *)\n',
    fix: 'Ask instead of allowing, or name the exact command.',
  },
  check: (project) =>
    wideGrants(
      project,
      'privileged',
      (command) => `lets ${command} ${powerOf(command)[1]}.`,
      (command) => ({ help: `Ask instead of allowing, or allow only what is needed: ${powerOf(command)[2]}.` }),
    ),
};

type Power = readonly [program: RegExp, power: string, example: string];

const POWERS: readonly Power[] = [
  [/^(?:docker|podman)/, 'mount and change every file of the machine', 'docker ps, docker logs'],
  [/^(?:kubectl|helm)/, 'change and delete what runs in the cluster', 'kubectl get, kubectl logs'],
  [
    /^(?:terraform|aws|gcloud|az)/,
    'change and delete what the cloud account holds',
    'terraform plan, aws sts get-caller-identity',
  ],
  [/^(?:psql|mysql|mongosh|redis-cli)/, 'change and drop all data that it reaches', 'a script that reads'],
  [/^systemctl/, 'stop and start every service of the machine', 'systemctl status'],
  [/^gh/, 'change and delete whatever the GitHub token may', 'gh pr view, gh issue list'],
  [/^npm/, 'release packages under your name', 'npm pack'],
];
/** sudo, su, doas */
const AS_ROOT: Power = [/^/, 'run any command as root', 'the exact command behind it'];

function powerOf(command: string): Power {
  return POWERS.find(([program]) => program.test(command)) ?? AS_ROOT;
}
