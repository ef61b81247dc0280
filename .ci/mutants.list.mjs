// The mutants of .ci/mutants.mjs: what is switched off, and which test files must notice. Either `file`, `from`, `to` (one exact
// place in a source file) or `data` and `change` (a file of rules/).
const decide = '^decide/.*\\.test\\.js$';

const withoutFloor = (id) => ({
  name: `floor entry ${id}`,
  data: 'floor',
  change: (floor) => ({ ...floor, entries: floor.entries.filter((entry) => entry.id !== id) }),
  tests: '^decide/floor\\.test\\.js$',
});

export const mutants = [
  ...['wipe', 'permissions', 'format', 'device', 'fork-bomb', 'reverse-shell', 'exfiltration'].map((id) =>
    withoutFloor(`floor/${id}`),
  ),
  {
    name: 'stage agent',
    file: 'src/decide/decide.ts',
    from: 'const agent = agentStage(input);',
    to: 'const agent = null as ReturnType<typeof agentStage>;',
    tests: decide,
  },
  {
    name: 'stage policy',
    file: 'src/decide/decide.ts',
    from: "['policy', environmentChecked(policy, facts, analysis)]",
    to: "['policy', { ...policy, decision: 'allow' as const }]",
    tests: decide,
  },
  {
    name: 'stage budget',
    file: 'src/decide/stages.ts',
    from: 'if (limit !== null && used >= limit)',
    to: 'if (limit !== null && used >= limit && limit < 0)',
    tests: decide,
  },
  {
    name: 'deny before allow',
    file: 'src/decide/shell-unit.ts',
    from: "for (const effect of ['deny', 'ask', 'allow'] as const)",
    to: "for (const effect of ['allow', 'ask', 'deny'] as const)",
    tests: decide,
  },
  {
    name: 'protected paths',
    data: 'protected',
    change: (data) => ({ ...data, deny: { anywhere: [], home: [], absolute: [] } }),
    tests: decide,
  },
  {
    name: 'protected paths that ask',
    data: 'protected',
    change: (data) => ({ ...data, ask: { anywhere: [], home: [], absolute: [] } }),
    tests: decide,
  },
  { name: 'secret paths', data: 'secrets', change: (data) => ({ ...data, anywhere: [], home: [], absolute: [] }), tests: decide },
  {
    name: 'opaque constructs',
    file: 'src/decide/shell-line.ts',
    from: 'if (total !== null) return [];',
    to: 'if (total !== null || line.tree.opaque.length > 0) return [];',
    tests: decide,
  },
  {
    name: 'unreadable lines under a total rule',
    file: 'src/decide/shell-line.ts',
    from: 'total: unreadable ? null : total',
    to: 'total',
    tests: decide,
  },
  {
    name: 'raw text of ask and deny rules',
    file: 'src/decide/shell-line.ts',
    from: '...textClaims(line, scope), ',
    to: '',
    tests: decide,
  },
  {
    name: 'redirections to files',
    file: 'src/decide/shell-unit.ts',
    from: 'if (uncoveredRedirection(command, paths, scope)) return null;',
    to: '',
    tests: decide,
  },
  {
    name: 'facts conditions',
    file: 'src/decide/shell-unit.ts',
    from: 'if (issue !== null) issues.push(issue);',
    to: '',
    tests: decide,
  },
  {
    name: 'preset refusals',
    file: 'src/decide/shell-unit.ts',
    from: "if (issue.rating === 'refuse') claims.push",
    to: "if (issue.rating === 'refuse' && claims.length < 0) claims.push",
    tests: decide,
  },
  {
    name: 'preset otherwise',
    file: 'src/decide/stages.ts',
    from: 'const closed = presetOtherwise(compiled, analysis);',
    to: 'const closed = presetOtherwise({ ...compiled, preset: null }, analysis);',
    tests: decide,
  },
  {
    name: 'real paths of allow rules',
    file: 'src/decide/paths.ts',
    from: 'const real = fact === undefined ? null : locate(fact.real, facts);',
    to: 'const real = locate(posix.normalize(key), facts);',
    tests: decide,
  },
  {
    name: 'environment',
    file: 'src/decide/decide.ts',
    from: 'if (variable === undefined) return verdict;',
    to: 'return verdict;',
    tests: decide,
  },
  {
    name: 'nobody to ask',
    file: 'src/decide/decide.ts',
    from: 'if (call.headless)',
    to: 'if (call.headless && decision !== decision)',
    tests: decide,
  },
  {
    name: 'replaced paths',
    file: 'src/decide/shell-unit.ts',
    from: 'line.replaced.push(path.real.absolute);',
    to: '',
    tests: decide,
  },
  {
    name: 'embedded fields of MCP tools',
    file: 'src/decide/tool-call.ts',
    from: 'claims.push(...guards(subjects, scope), ...embedded(scope));',
    to: 'claims.push(...guards(subjects, scope));',
    tests: decide,
  },
];
