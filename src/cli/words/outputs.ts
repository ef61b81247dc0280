/**
 * Where a command writes its output: `--format F`, `--output FILE`, and any number of `--output F=FILE`. Without `--format`, the
 * file extension determines the format.
 */
import { join } from 'node:path';
import { entriesBelow, entryStatus, linkAmong, writeAnswer } from '../../disk/answer-file.js';
import { realPath } from '../../disk/real-path.js';
import { systemCode } from '../../log/files/log-error.js';
import { UsageError } from '../terminal/exit.js';
import { type Arguments, choiceFlag, textFlags } from './arguments.js';

export interface Output<Format extends string> {
  readonly format: Format;
  /** Null: standard output. */
  readonly file: string | null;
}

/**
 * Returns the target of each format, files first, because a closed standard output ends the program. The main format (`--format`,
 * else the first of `formats`) goes to standard output unless it is written to a file. Throws UsageError for an unknown format
 * and an empty file name.
 */
export function outputsOf<Format extends string>(args: Arguments, formats: readonly [Format, ...Format[]]): Output<Format>[] {
  const main = choiceFlag(args, 'format', formats) ?? formats[0];
  const files = textFlags(args, 'output').map((text) => {
    const named = formats.find((format) => text.startsWith(`${format}=`));
    const file = named === undefined ? text : text.slice(named.length + 1);
    return { named, format: named ?? (args.format === undefined ? byEnding(file, formats) : undefined) ?? main, file };
  });
  for (const { named, file } of files) {
    const word = named === undefined ? /^([a-z]+)=/.exec(file)?.[1] : undefined;
    if (word !== undefined)
      throw new UsageError(
        `--output ${file}: there is no format ${word}, only ${formats.join(', ')}; write ./${file} for a file of that name`,
      );
  }
  if (files.some(({ file }) => file === ''))
    throw new UsageError(`--output needs a file name: --output FILE or --output ${main}=FILE`);
  const written = files.map(({ format, file }) => ({ format, file }));
  return files.some(({ named }) => named === undefined) ? written : [...written, { format: main, file: null }];
}

/** Only extensions that are names of formats count: two formats are XML. */
function byEnding<Format extends string>(file: string, formats: readonly Format[]): Format | undefined {
  const ending = /\.(\w+)$/.exec(file)?.[1]?.toLowerCase() ?? '';
  return formats.find((format) => format === ending);
}

/**
 * Writes output to a file. A repository may contain a link in place of the file, or of a directory on the way there, which would
 * redirect the output to one of the person's own files: no link is followed in a repository, or in the working directory. Throws
 * UsageError when the file cannot be written.
 * @param examined the real path of the folder that the output is about, where no link is followed either
 */
export function writeOutput(file: string, text: string, examined?: string): void {
  const others = new Set([process.cwd(), examined]);
  const isTop = (directory: string) =>
    others.has(realPath(directory) ?? directory) || entryStatus(join(directory, '.git')) !== undefined;
  const inside = entriesBelow(file, isTop);
  const link = linkAmong(inside);
  if (link !== undefined)
    throw new UsageError(`${file} cannot be written: ${link} is a link in the repository, which may lead anywhere`);
  try {
    writeAnswer(file, text, inside.length === 0);
  } catch (error) {
    throw new UsageError(`${file} cannot be written (${systemCode(error)})`);
  }
}
