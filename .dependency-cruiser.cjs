// The layers of src/ (see CONTRIBUTING.md, "Layers") as rules for dependency-cruiser. Run by .ci/arch.mjs.

/** For each folder of src/: the folders below it that it may import. `generated` is the bottom, open to all. */
const call = [];
const shell = [];
const secret = [];
const rule = ['call', 'shell'];
const command = ['call', 'shell'];
const policy = ['call', 'shell', 'rule', 'command'];
// agent and policy are one layer, but an agent's permissions use the terms of a policy, never the other way round.
const agent = [...policy, 'policy'];
const decide = [...agent, 'agent', 'secret'];
const lint = [...decide, 'decide'];
const runner = [...lint, 'lint'];
const above = [...runner, 'runner'];
const disk = [...above, 'log', 'run'];
const project = [...disk, 'disk', 'definitions', 'program'];
const enforce = [...project, 'project'];
const author = [...enforce, 'enforce'];
const interfaces = [...author, 'author', 'install', 'report'];
const hook = interfaces;
const cli = [...interfaces, 'hook', 'audit', 'replay', 'gateway', 'server'];
const layers = {
  generated: [],
  call,
  shell,
  secret,
  rule,
  command,
  policy,
  agent,
  decide,
  runner,
  lint,
  log: above,
  run: above,
  disk,
  definitions: [...disk, 'disk'],
  program: [...disk, 'disk'],
  project,
  install: [...project, 'project'],
  enforce,
  author,
  audit: interfaces,
  replay: interfaces,
  gateway: [...interfaces, 'hook'],
  server: interfaces,
  hook,
  cli,
};

/** The folders that do no I/O: everything they need comes in as an argument. */
const pure = ['call', 'shell', 'secret', 'rule', 'command', 'policy', 'agent', 'decide'];
/** What runs on every call of an agent: no parser of configuration, no terminal library may be loaded for it. */
const hot = ['call', 'shell', 'command', 'decide'];
/** The only files of other folders that `report` may know, and only as types. */
const resultTypes = [
  'decide/ruling/decision',
  'decide/remedy/types',
  'rule/pattern/permission-rule',
  'shell/syntax/types',
  'policy/policy',
  'lint/text/finding',
  'lint/mcp/tool-definitions',
  'log/record/record',
  'log/tree/seal',
  'log/stats',
  'log/tree/unsealed',
  'log/tree/rotate',
  'log/tree/verify',
  'author/rule-preview',
  'replay/replay',
  'audit/fleet/report',
  'audit/model/report',
  'audit/model/types',
  'audit/model/table',
  'audit/model/results',
  'audit/verify/verification',
  'audit/doctor/found/check',
  'audit/status/status',
];

const folders = (names) => `^src/(${names.join('|')})/`;
const packages = (names) => `node_modules/(@types/)?(${names.join('|')})/`;

/** Each bundled package and the only places that may import it. Anything else from npm is refused. */
const homes = [
  ['unbash', '^src/shell/syntax/parser\\.ts$'],
  ['yargs', folders(['cli'])],
  ['chalk', folders(['report', 'cli'])],
  ['cli-table3', folders(['report', 'cli'])],
  ['js-yaml', folders(['policy'])],
  ['smol-toml', folders(['policy', 'disk', 'install'])],
  ['jsonc-parser', folders(['policy', 'disk'])],
  ['micromatch', folders(['rule'])],
  ['ajv', '^src/gateway/session/validator\\.ts$'],
  ['eventsource-parser', '^src/gateway/http/remote-server\\.ts$'],
];

/** Every folder of src/ that has a layer. arch.mjs reports the others. */
const knownFolders = [...Object.keys(layers), 'report'];

module.exports = {
  forbidden: [
    ...Object.entries(layers).map(([folder, below]) => ({
      name: `layer-of-${folder}`,
      comment: `src/${folder} may import only itself, generated${below.length > 0 ? `, ${below.join(', ')}` : ''}`,
      severity: 'error',
      from: { path: folders([folder]) },
      to: { path: '^src/', pathNot: folders([folder, 'generated', ...below]) },
    })),
    {
      name: 'report-knows-result-types',
      comment: 'src/report may import only the files that declare results',
      severity: 'error',
      from: { path: folders(['report']) },
      to: { path: '^src/', pathNot: `^src/report/|^src/(${resultTypes.join('|')})\\.ts$` },
    },
    {
      name: 'report-runs-nothing-of-others',
      comment: 'what src/report takes from other folders is types, so that a format never decides',
      severity: 'error',
      from: { path: folders(['report']) },
      to: { path: '^src/', pathNot: '^src/report/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'library-loads-no-terminal',
      comment: 'src/index.ts is for programs: it loads no terminal code',
      severity: 'error',
      from: { path: '^src/index\\.ts$' },
      to: { path: folders(['cli', 'report']) },
    },
    {
      name: 'nothing-imports-the-library-entry',
      comment: 'src/index.ts only exports; nothing inside imports it',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^src/index\\.ts$' },
    },
    {
      name: 'pure-below-decide',
      comment: 'decide and everything under it do no I/O; node:path/posix is the only built-in allowed',
      severity: 'error',
      from: { path: folders([...pure, 'report', 'generated']) },
      // dependency-cruiser shows node:path/posix as `path`; arch.mjs tells the two apart.
      to: { dependencyTypes: ['core'], pathNot: '^path(/posix)?$' },
    },
    {
      name: 'hot-path-is-light',
      comment: 'what runs on every tool call loads no configuration parser and no terminal library',
      severity: 'error',
      from: { path: folders(hot) },
      to: { path: packages(['js-yaml', 'smol-toml', 'jsonc-parser', 'yargs', 'chalk', 'cli-table3', 'ajv']), reachable: true },
    },
    ...homes.map(([name, home]) => ({
      name: `home-of-${name}`,
      comment: `${name} is imported only below ${home}`,
      severity: 'error',
      from: { path: '^src/', pathNot: home },
      to: { path: packages([name]) },
    })),
    {
      name: 'known-packages-only',
      comment: 'a new package is a decision: add it to the list in .dependency-cruiser.cjs with its home',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: 'node_modules/', pathNot: packages(homes.map(([name]) => name)) },
    },
    {
      name: 'src-stays-in-src',
      comment: 'src imports nothing of tests, scripts or build output',
      severity: 'error',
      from: { path: '^src/' },
      to: { pathNot: '^src/|node_modules/', dependencyTypesNot: ['core'], couldNotResolve: false },
    },
    {
      name: 'resolvable',
      comment: 'every import must lead somewhere',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-module-cycles',
      comment: 'two files that need each other are one file, or three',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-folder-cycles',
      comment: 'the folders of src/ stand on each other, never in a ring; the folders in them are for finding things',
      severity: 'error',
      scope: 'folder',
      from: { path: '^src/[^/]+$' },
      to: { circular: true, path: '^src/[^/]+$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
Object.defineProperty(module.exports, 'layout', { value: { pure, knownFolders }, enumerable: false });
