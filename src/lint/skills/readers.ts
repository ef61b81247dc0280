/** The runners that read a skill, and what they do with it. */
import { RUNNERS } from '../../call/tool-call.js';
import { type SkillTraits, traitsOf } from '../../call/traits.js';
import type { TextFile } from '../files/files.js';

export interface SkillReader extends SkillTraits {
  /** Its name and version: `Codex 0.171.0`. */
  readonly title: string;
}

/** Returns the runners of which it is known what they do with this skill; none for a skill in a folder of no runner. */
export function skillReaders({ runner, path }: TextFile): readonly SkillReader[] {
  const isShared = runner === null && /(?:^|\/)\.agents\/skills\//.test(path);
  return RUNNERS.flatMap((one): readonly SkillReader[] => {
    const { title, skills } = traitsOf(one);
    if (skills === undefined || (one !== runner && !(isShared && skills.shared))) return [];
    return [{ ...skills, title: `${title} ${skills.version}` }];
  });
}

/** Begins a sentence: `Codex 0.171.0 and Copilot CLI 1.0.102 do not load this skill`. */
export function notLoadedBy(readers: readonly SkillReader[]): string {
  const titles = new Intl.ListFormat('en').format(readers.map(({ title }) => title));
  return `${titles} ${readers.length === 1 ? 'does' : 'do'} not load this skill`;
}
