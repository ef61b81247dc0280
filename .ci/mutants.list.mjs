// The mutants of .ci/mutants.mjs: what is switched off, and which test files must notice. Either `file`, `from`, `to` (one exact
// place in a source file) or `data` and `change` (a file of rules/).
const decide = '^decide/.*\\.test\\.js$';

const withoutFloor = (id) => ({
  name: `floor entry ${id}`,
  data: 'floor',
  change: (floor) => ({ ...floor, entries: floor.entries.filter((entry) => entry.id !== `floor/${id}`) }),
  tests: '^decide/floor\\.test\\.js$',
});

/** A change in one source file that the decision tests must notice. */
const off = (name, file, from, to, tests = decide) => ({ name, file: `src/${file}`, from, to, tests });

export const mutants = [
  ...['wipe', 'permissions', 'format', 'device', 'fork-bomb', 'reverse-shell', 'exfiltration'].map(withoutFloor),
  off(
    'stage agent',
    'decide/decide.ts',
    'const agent = agentStage(input);',
    'const agent = null as ReturnType<typeof agentStage>;',
  ),
  off(
    'stage policy',
    'decide/decide.ts',
    'environmentChecked(policyStage(input), facts, analysis);',
    "{ ...policyStage(input), decision: 'allow' as const };",
  ),
  off(
    'stage budget',
    'decide/stages.ts',
    'if (limit !== null && used >= limit)',
    'if (limit !== null && used >= limit && limit < 0)',
  ),
  off(
    'deny before allow',
    'decide/claim.ts',
    "if (effect === 'deny') decision = 'deny';",
    "if (effect === 'deny' && claims.length === 1) decision = 'deny';",
  ),
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
  off(
    'opaque constructs',
    'decide/shell-line.ts',
    'if (context.total === null) for',
    'if (context.total === null && tree.opaque.length > 99) for',
  ),
  off('unreadable lines under a total rule', 'decide/shell-line.ts', 'total: unreadable ? null : total', 'total'),
  off('redirections to files', 'decide/unit-allowance.ts', ' && uncoveredRedirection(command, paths, scope)', ' && false'),
  off('conditions that facts settle', 'decide/unit-conditions.ts', 'if (issue !== null) found = add(found, issue);', ''),
  off('preset refusals', 'decide/shell-unit.ts', "if (issue.rating !== 'refuse') continue;", 'continue;'),
  off(
    'preset otherwise',
    'decide/stages.ts',
    'presetOtherwise(compiled, analysis);',
    'presetOtherwise({ ...compiled, preset: null }, analysis);',
  ),
  off(
    'real paths of allow rules',
    'decide/paths.ts',
    'fact.real === lexical.absolute ? lexical : locate(fact.real, facts);',
    'lexical;',
  ),
  off('environment', 'decide/decide.ts', 'if (variable === undefined) return verdict;', 'return verdict;'),
  off('nobody to ask', 'decide/decide.ts', 'if (call.headless)', 'if (call.headless && compiled === null)'),
  off('replaced paths', 'decide/shell-unit.ts', 'line.replaced.push(real.absolute);', 'void 0;'),
  off(
    'fields of MCP tools',
    'decide/tool-call.ts',
    'claims.push(...guards(subjects, scope), ...embedded(scope));',
    'claims.push(...guards(subjects, scope));',
  ),
  off(
    'inner commands of wrappers',
    'decide/shell-unit.ts',
    'for (const one of inner) {',
    'for (const one of [] as UnitVerdict[]) {',
  ),
  off('tool lists of agents', 'decide/stages.ts', 'if (invisible !== null) return verdictOf(invisible);', ''),
  off(
    'matcher of allow patterns',
    'rule/command-pattern.ts',
    'return command.length === depth;',
    'return true;',
    '^rule/.*\\.test\\.js$',
  ),
  off('wildcard matcher', 'rule/wildcard.ts', 'return at === pattern.length;', 'return true;', '^rule/.*\\.test\\.js$'),
  off(
    'issues that a rule must write out',
    'rule/command-pattern.ts',
    'if (issue.word < 0) return false;',
    'continue;',
    '^(rule|decide)/.*\\.test\\.js$',
  ),
  off(
    'layers that nobody trusts',
    'policy/layers.ts',
    'if (!layer.trusted) {',
    'if (!layer.trusted && layer.layer === null) {',
    '^policy/.*\\.test\\.js$',
  ),
  off('the lock', 'policy/layers.ts', 'one.value === true);', 'one.value === null);', '^policy/.*\\.test\\.js$'),
  off('paths that nobody can know', 'decide/paths.ts', 'if (unseen) return null;', 'return null;'),
  off('words before the subcommand', 'decide/spellings.ts', 'from <= MOST_LEADING_WORDS', 'from <= 1'),
  off(
    'clusters of short options',
    'decide/shell-unit.ts',
    'for (const rule of scope.clusters.meeting(command)) claims.push(ruleClaim(rule));',
    '',
  ),
];
