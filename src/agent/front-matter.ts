/** The YAML block at the beginning of a Markdown file, delimited as by the runners: by whole lines, from the first line on. */

/** Maximum length of a definition that is read, in UTF-16 units; Claude Code does not load a 3 MB file either. */
export const MAX_DEFINITION = 1_048_576;

export interface FrontMatter {
  readonly ok: true;
  readonly yaml: string;
  /** Line of the file on which the YAML starts, counted from 1. */
  readonly yamlLine: number;
  /** Trimmed; empty when there is none. */
  readonly body: string;
  /** Offset of the line after the block; the end of the text if there is none. */
  readonly bodyStart: number;
}

export interface FrontMatterProblem {
  readonly ok: false;
  readonly code: string;
  readonly message: string;
  readonly line: number;
}

/**
 * Splits a definition. Never throws. The first line must be `---` (white space may follow it), and so must the line that ends the
 * block: a `---` inside a value does not end it.
 */
export function splitFrontMatter(text: string): FrontMatter | FrontMatterProblem {
  if (text.length > MAX_DEFINITION)
    return problem('agent/too-large', 'This definition is larger than 1 MiB; runners do not load it.', 1);
  const start = nextLine(text, 0);
  const first = lineAt(text, 0, start);
  if (!isFence(first)) return notFirst(first, text.split('\n', 50));
  for (let line = start; line < text.length; ) {
    const next = nextLine(text, line);
    if (text.startsWith('---', line) && isFence(lineAt(text, line, next)))
      return {
        ok: true,
        yaml: text.slice(start, Math.max(start, line - 1)),
        yamlLine: 2,
        body: text.slice(next).trim(),
        bodyStart: next,
      };
    line = next;
  }
  return problem('agent/front-matter-unclosed', 'The front matter is not closed: write --- on a line of its own after it.', 1);
}

/** Returns the start of the line after the one at an offset. */
function nextLine(text: string, line: number): number {
  const end = text.indexOf('\n', line);
  return end < 0 ? text.length : end + 1;
}

function lineAt(text: string, line: number, next: number): string {
  return text.slice(line, text[next - 1] === '\n' ? next - 1 : next);
}

const isFence = (line: string) => /^---[ \t\r]*$/.test(line);

/** Returns why there is no front matter at the beginning of the file. */
function notFirst(first: string, lines: readonly string[]): FrontMatterProblem {
  if (first.startsWith('\uFEFF---'))
    return problem(
      'agent/byte-order-mark',
      'The file starts with a byte order mark, behind which some runners see no front matter; save it without.',
      1,
    );
  if (/^-{4,}[ \t\r]*$/.test(first))
    return problem('agent/front-matter-fence', 'The front matter has to start with exactly three hyphens.', 1);
  if (first.startsWith('+++'))
    return problem(
      'agent/front-matter-toml',
      'Front matter between +++ is TOML, which runners do not read here; use YAML between ---.',
      1,
    );
  if (/^---\s*\w/.test(first))
    return problem('agent/front-matter-fence', 'Nothing may follow the three hyphens that start the front matter.', 1);
  const later = lines.findIndex(isFence);
  // A line --- is also a rule between paragraphs.
  if (later > 0 && /^[A-Za-z][\w-]*[ \t]*:/.test(lines[later + 1] ?? '')) {
    const blank = lines.slice(0, later).every((line) => line.trim() === '');
    const what = blank ? 'blank lines' : 'text';
    return problem(
      'agent/front-matter-not-first',
      `There is ${what} before the front matter, so runners do not see it; --- has to be the first line.`,
      1,
    );
  }
  return problem(
    'agent/no-front-matter',
    'There is no front matter: a definition starts with a line --- followed by name and description.',
    1,
  );
}

function problem(code: string, message: string, line: number): FrontMatterProblem {
  return { ok: false, code, message, line };
}
