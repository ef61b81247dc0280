import { describeTool } from '../../../call/catalogue.js';
import { shown } from '../../../policy/sentences.js';
import type { LintProject } from '../../project/project.js';
import { allRulesOf } from '../../project/project.js';
import type { LintRule, Report } from '../../project/rule.js';

const EVERY_HOST = /^(?:domain:)?(?:https?:\/\/)?\*+(?:\/\**)?$/;

export const anyHost: LintRule = {
  id: 'permissions/any-host',
  severity: 'warning',
  persona: 'reviewer',
  docs: {
    what: 'A rule or definition allows fetching from every host.',
    why: 'An address can carry away what the agent has read, and a page can bring instructions.',
    bad: 'allow:\n  - WebFetch\n',
    good: 'allow:\n  - WebFetch(domain:nodejs.org)\n',
    fix: 'Name the domains that are needed.',
  },
  check: check,
};

function check(project: LintProject): readonly Report[] {
  const rules = allRulesOf(project).flatMap(({ rule, span }): Report[] => {
    if (rule.effect !== 'allow' || describeTool(rule.tool).canonical !== 'WebFetch') return [];
    if (rule.pattern !== null && !EVERY_HOST.test(rule.pattern)) return [];
    return [{ at: span, message: `${shown(rule.text)} allows fetching from every host.` }];
  });
  const definitions = project.agents
    .filter(({ format }) => format === 'codex-yaml')
    .flatMap(({ data }) => data?.items('/tools/net/allow', ',') ?? [])
    .filter(({ text }) => EVERY_HOST.test(text))
    .map(({ text, span }) => ({ at: span, message: `${shown(text)} allows every host.` }));
  return [...rules, ...definitions];
}
