import { isMcpName } from '../../../call/mcp-name.js';
import { shown } from '../../../policy/sentences.js';
import { readArguments } from '../../../rule/pattern/argument-pattern.js';
import { forRules, type LintRule, type Report } from '../../project/rule.js';

export const unnamedArgument: LintRule = {
  id: 'rules/unnamed-argument',
  severity: 'warning',
  confidence: 'medium',
  docs: {
    what: 'A rule about an MCP tool has a pattern that is no path, address or command, and names no argument.',
    why: 'Without a name, the pattern is compared with the paths, addresses and commands of a call. A call that has none is never allowed by the rule, and always met by an ask or deny.',
    bad: 'allow:\n  - mcp__slack__send_message(C09*)\n',
    good: 'allow:\n  - "mcp__slack__send_message(channel: C09*)"\n',
    fix: 'Name the argument.',
  },
  check: forRules(({ rule, span }): readonly Report[] => {
    const { tool, pattern, effect, text } = rule;
    if (pattern === null || !/^[\w#@-]+\*?$/.test(pattern) || pattern === 'read-only' || readArguments(rule) !== null) return [];
    // `write_file(README)` and `read(docs)` may be about a path.
    const name = tool.slice(tool.lastIndexOf('__') + 2);
    if (!isMcpName(tool.toLowerCase()) || /file|dir|folder|path|glob/i.test(tool) || /^(?:read|write|edit|run|exec)$/.test(name))
      return [];
    const what =
      effect === 'allow'
        ? 'allows only calls'
        : `${effect === 'ask' ? 'asks about' : 'denies'} every call without a path, address or command, and those`;
    return [
      {
        at: span,
        message: `${shown(text)} ${what} whose path, address or command is ${shown(pattern)}.`,
        help: `Name the argument that is meant, as in "${tool}(channel: ${pattern})".`,
      },
    ];
  }),
};
