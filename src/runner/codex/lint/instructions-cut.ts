import type { TextFile } from '../../../lint/files/files.js';
import type { LintProject } from '../../../lint/project/project.js';
import type { LintRule, Report } from '../../../lint/project/rule.js';

export const codexInstructionsCut: LintRule = {
  id: 'codex/instructions-cut',
  severity: 'warning',
  docs: {
    what: 'AGENTS.md is longer than Codex reads.',
    why: 'Codex reads 32 KiB of all AGENTS.md from the top of the project down to the working folder (project_doc_max_bytes), and does not say what it left out.',
    bad: 'an AGENTS.md of 40,000 bytes',
    good: 'an AGENTS.md of 10,000 bytes that names files for its details',
    fix: 'Move details into files that the agent reads when it needs them, or raise project_doc_max_bytes in .codex/config.toml.',
    source: 'developers.openai.com/codex: AGENTS.md; report openai/codex#7138',
    runners: ['codex'],
  },
  check,
};

const USUAL = 32_768;

/** Reports each file that the limit cuts. One that lies wholly behind it is named where the cut is; nobody works inside a skill. */
function check(project: LintProject): readonly Report[] {
  const most = limitOf(project);
  const files = project.texts.filter(
    ({ path }) => /(?:^|\/)AGENTS\.md$/.test(path) && !/(?:^|\/)(?:skills|\.[^/]+)\//.test(path),
  );
  return files.flatMap((file): readonly Report[] => {
    const folder = (one: TextFile) => one.path.slice(0, -'AGENTS.md'.length);
    // What lies above comes first.
    const above = files.filter((one) => one !== file && file.path.startsWith(folder(one)));
    const before = above.reduce((sum, { source }) => sum + Buffer.byteLength(source.text), 0);
    const bytes = Buffer.from(file.source.text);
    if (before + bytes.length <= most || before > most) return [];
    const { source } = file;
    const start = bytes
      .subarray(0, most - before)
      .toString()
      .replace(/\uFFFD+$/, '').length;
    const { line } = source.placeOf(Math.min(start, source.text.length - 1));
    const lines = source.text.trimEnd().split('\n').length;
    const what = before === 0 ? `${most} bytes` : `${most} bytes with those of the AGENTS.md above it`;
    const below = files.filter((one) => one !== file && one.path.startsWith(folder(file))).length;
    const more = below === 0 ? '' : `, and all of the ${below} AGENTS.md below`;
    const message = `Codex reads ${what}, so it misses this file from line ${line} to its end at line ${lines}${more}.`;
    const at = source.lineSpan(line);
    return isForCodex(project, files) ? [{ at, message }] : [{ at, message, severity: 'info' }];
  });
}

/** False where other runners, which read AGENTS.md as well, have files of their own, and neither a file nor a text speaks of Codex. */
function isForCodex({ files, configs }: LintProject, texts: readonly TextFile[]): boolean {
  const others = configs.filter(({ runner }) => runner !== null && runner !== 'codex');
  const isNamed = files.some(({ path }) => /(?:^|\/)\.codex\//.test(path));
  return others.length === 0 || isNamed || texts.some(({ source }) => /\bcodex\b(?![-\w])/i.test(source.text));
}

/** What the project's own configuration says. */
function limitOf({ configs }: LintProject): number {
  const set = configs.find(({ config, path }) => config === 'codex-config' && path === '.codex/config.toml');
  const value = set?.data?.at('/project_doc_max_bytes');
  return typeof value === 'number' && value >= 0 ? value : USUAL;
}
