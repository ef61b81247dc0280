import { isFields } from '../../../call/fields.js';
import { serversOf } from '../../../lint/mcp/servers.js';
import { openCodeAgents, type PermissionMap, permissionMaps } from '../../../lint/opencode/agents.js';
import type { LintProject } from '../../../lint/project/project.js';
import type { LintRule, Report } from '../../../lint/project/rule.js';
import { pointerTo } from '../../../policy/read/pointer.js';
import { shown } from '../../../policy/sentences.js';

export const opencodeDeadPattern: LintRule = {
  id: 'opencode/dead-pattern',
  severity: 'warning',
  docs: {
    what: 'An entry of `permission.bash`, or one for an MCP server, restricts less than it seems to.',
    why: 'OpenCode compares the whole command with the pattern: "git" is git without arguments, and `git push:*` and `Bash(rm *)` are forms of other programs.',
    bad: '---\ndescription: Reviews changes.\nmode: subagent\npermission:\n  bash:\n    "git push": deny\n---\nRead the diff first.\n',
    good: '---\ndescription: Reviews changes.\nmode: subagent\npermission:\n  bash:\n    "git push *": deny\n---\nRead the diff first.\n',
    fix: 'Write the command with a blank and a * at its end: "git push *", which is also the command alone.',
    source: 'opencode.ai/docs: permissions; anomalyco/opencode#8832',
    verifiedOn: 'OpenCode 1.18.33',
    runners: ['opencode'],
  },
  check: (project) => [...permissionMaps(project).flatMap(check), ...ofServers(project)],
};

/** At most this many entries of one map are examined. */
const MOST = 100;
/** Commands that are dangerous with arguments only. */
const ALONE =
  /^(?:git(?: (?:push|reset|commit|checkout|clean|rebase))?|rm|mv|cp|chmod|chown|curl|wget|sudo|ssh|scp|dd|docker|kubectl|npm|npx|pip)$/;

function check({ data, pointer }: PermissionMap): readonly Report[] {
  const above = `${pointer}/bash`;
  const bash = data.at(above);
  if (!isFields(bash)) return [];
  return Object.keys(bash)
    .slice(0, MOST)
    .flatMap((key): Report[] => {
      if (bash[key] !== 'deny' && bash[key] !== 'ask') return [];
      const why = reason(key);
      if (why === null || rulingOf(bash, `${key} x`) === bash[key]) return [];
      const at = data.keySpan(pointerTo(above, key));
      return [{ at, message: `${shown(key)} ${why}.`, ...(bash[key] === 'ask' && { severity: 'info' as const }) }];
    });
}

/** `tools: {exa: false}` for a server exa: its tools are called exa_NAME, and a key is compared with the whole name (anomalyco/opencode#2565). */
function ofServers(project: LintProject): readonly Report[] {
  const servers = new Set(
    serversOf(project).flatMap(({ file, name }) => ('config' in file && file.runner === 'opencode' ? [name] : [])),
  );
  const roots = project.configs.flatMap(({ config, data }) =>
    config === 'opencode-config' && data !== null ? [{ data, pointer: '' }] : [],
  );
  return [...roots, ...openCodeAgents(project)].flatMap(({ data, pointer }) =>
    ['tools', 'permission'].flatMap((map): Report[] => {
      const entries = data.at(`${pointer}/${map}`);
      const dead = isFields(entries) ? Object.keys(entries).filter((key) => servers.has(key) && isRestriction(entries[key])) : [];
      return dead.map((key) => ({
        at: data.keySpan(pointerTo(`${pointer}/${map}`, key)),
        message: `${shown(key)} is an MCP server, whose tools are called ${key}_NAME, so this entry matches none of them.`,
        help: `Write ${shown(`${key}_*`)}.`,
      }));
    }),
  );
}

function isRestriction(value: unknown): boolean {
  return value === false || value === 'deny' || value === 'ask';
}

function reason(key: string): string | null {
  if (/^\w+\(.*\)$/.test(key)) return 'is a rule of another program; no command matches it';
  if (/^[\w./ -]+:\*$/.test(key)) return 'matches no command without a colon at this place';
  return ALONE.test(key) ? 'matches this command without arguments only' : null;
}

/** What the other entries say of a command: the last that matches counts, and only those with one * at their end are looked at. */
function rulingOf(bash: Readonly<Record<string, unknown>>, command: string): unknown {
  return Object.entries(bash).findLast(
    ([key]) => key.endsWith('*') && !key.endsWith(':*') && command.startsWith(key.slice(0, -1)),
  )?.[1];
}
