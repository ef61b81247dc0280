import type { TextFile } from '../../../lint/files/files.js';
import type { LintProject } from '../../../lint/project/project.js';
import type { LintRule, Report } from '../../../lint/project/rule.js';

export const codexInstructionsCut: LintRule = {
  id: 'codex/instructions-cut',
  severity: 'warning',
  confidence: 'high',
  persona: 'author',
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

function check(project: LintProject): readonly Report[] {
  const most = limitOf(project);
  const files = project.texts.filter(({ path }) => /(?:^|\/)AGENTS\.md$/.test(path));
  return files.flatMap((file) => {
    // What lies above comes first.
    const above = files.filter((one) => one !== file && file.path.startsWith(one.path.slice(0, -'AGENTS.md'.length)));
    const before = above.reduce((sum, { source }) => sum + Buffer.byteLength(source.text), 0);
    return before >= most && above.length > 0 ? left(file, 0, before) : left(file, most - before, before);
  });

  function left({ source }: TextFile, room: number, before: number): readonly Report[] {
    const bytes = Buffer.from(source.text);
    if (bytes.length <= room) return [];
    const start = bytes
      .subarray(0, room)
      .toString()
      .replace(/\uFFFD+$/, '').length;
    const { line } = source.placeOf(Math.min(start, source.text.length - 1));
    const lines = source.text.trimEnd().split('\n').length;
    const what = before === 0 ? `${most} bytes` : `${most} bytes with those of the AGENTS.md above it`;
    const message = `Codex reads ${what}, so it misses this file from line ${line} to its end at line ${lines}.`;
    return [{ at: source.lineSpan(line), message }];
  }
}

/** What the project's own configuration says. */
function limitOf({ configs }: LintProject): number {
  const set = configs.find(({ config, path }) => config === 'codex-config' && path === '.codex/config.toml');
  const value = set?.data?.at('/project_doc_max_bytes');
  return typeof value === 'number' && value >= 0 ? value : USUAL;
}
