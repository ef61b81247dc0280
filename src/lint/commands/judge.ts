/**
 * A policy's decision about a command that a skill runs when it is loaded, in an ordinary repository: no file is unusual, no git
 * setting makes a command run something else. Facts of a real machine can only make the answer stricter.
 */
import { ASSUMED_RUNNER } from '../../call/tool-call.js';
import { type CompiledPolicy, compilePolicy } from '../../decide/policy/compile.js';
import type { Decision } from '../../decide/ruling/decision.js';
import { composePolicy } from '../../policy/compose.js';
import { documentExtends, type PolicyDocument, parsePolicy, presetDocument } from '../../policy/document.js';
import type { PolicyLayer } from '../../policy/layers.js';
import { decidedInPlainRepository, PROJECT } from '../coverage/plain-repository.js';
import { type LintProject, oncePerProject } from '../project/project.js';

/**
 * Maximum numbers of different commands of one project that are judged, and of their characters: lint always finishes, whatever a
 * stranger's files contain.
 */
const MOST_JUDGED = 250;
const MOST_CHARACTERS = 50_000;

export interface Judge {
  /** False once the maximum number of commands is reached. */
  readonly judges: (command: string) => boolean;
  /** Decides by the project's own policy; null without a readable one. */
  readonly byPolicy: (command: string) => Decision | null;
  /** Decides by the preset `safe`, which every project may use. */
  readonly bySafe: (command: string) => Decision;
}

export const judgeFor = oncePerProject(newJudge);

function newJudge(project: LintProject): Judge {
  const own = compiledOnce(() => ownPolicy(project));
  const safe = compiledOnce(() => [{ layer: 'cli', trusted: true, document: presetDocument('safe') }]);
  const judged = new Set<string>();
  let characters = 0;
  const byPolicy = remembered((command) => {
    const compiled = own();
    return compiled === null ? null : decidedInPlainRepository(compiled, command, ASSUMED_RUNNER);
  });
  const bySafe = remembered((command) => {
    const compiled = safe();
    if (compiled === null) throw new Error('The package is damaged: the preset safe cannot be read.');
    return decidedInPlainRepository(compiled, command, ASSUMED_RUNNER);
  });
  const judges = (command: string) => {
    if (judged.has(command)) return true;
    if (judged.size >= MOST_JUDGED || characters + command.length > MOST_CHARACTERS) return false;
    judged.add(command);
    characters += command.length;
    return true;
  };
  return { judges, byPolicy, bySafe };
}

/** Caches answers, since many skills run the same few commands. */
function remembered<T>(answerTo: (command: string) => T): (command: string) => T {
  const known = new Map<string, T>();
  return (command) => {
    const before = known.get(command);
    if (before !== undefined) return before;
    const made = answerTo(command);
    known.set(command, made);
    return made;
  };
}

/** Compiles only when first asked: most projects never ask. */
function compiledOnce(layers: () => readonly PolicyLayer[]): () => CompiledPolicy | null {
  let made: CompiledPolicy | null | undefined;
  return () => {
    if (made === undefined) {
      const found = layers();
      made = found.length === 0 ? null : compilePolicy(composePolicy(found, { repository: PROJECT }).policy);
    }
    return made;
  };
}

/**
 * Returns the policy at the top of the project, treated as trusted; empty if it extends another file, since it is then not known
 * completely.
 */
function ownPolicy({ policies }: LintProject): readonly PolicyLayer[] {
  const documents = policies
    .filter(({ path, foreign, problems }) => !foreign && problems.length === 0 && !path.includes('/'))
    .flatMap(({ path, format, layer, source }): PolicyDocument[] => {
      const { document } = parsePolicy(source.text, { file: path, format, layer });
      return document === null ? [] : [document];
    });
  if (documents.some((document) => documentExtends(document) !== null)) return [];
  return documents.map((document) => ({
    layer: document.layer === 'local' ? ('local' as const) : ('project' as const),
    trusted: true,
    document,
  }));
}
