/** The places of Codex's configuration with the same keys: the top level and each profile. */
import { isFields } from '../../call/fields.js';
import { pointerTo } from '../../policy/read/pointer.js';
import type { LocatedText } from '../text/located-text.js';

const MOST_PROFILES = 200;

/** `name` is null for the top level. In the file of a project Codex ignores profiles, and says so (0.171.0). */
export function codexProfiles(data: LocatedText, path: string): { readonly pointer: string; readonly name: string | null }[] {
  const profiles = path.startsWith('~/') ? data.at('/profiles') : undefined;
  const names = isFields(profiles) ? Object.keys(profiles).slice(0, MOST_PROFILES) : [];
  return [{ pointer: '', name: null }, ...names.map((name) => ({ pointer: pointerTo('/profiles', name), name }))];
}
