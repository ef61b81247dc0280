/** The places of Codex's configuration with the same keys: the top level and each profile. */
import { isFields } from '../../call/fields.js';
import { pointerTo } from '../../policy/read/pointer.js';
import type { LocatedText } from '../text/located-text.js';

const MOST_PROFILES = 200;

/** `name` is null for the top level. */
export function codexProfiles(data: LocatedText): { readonly pointer: string; readonly name: string | null }[] {
  const profiles = data.at('/profiles');
  const names = isFields(profiles) ? Object.keys(profiles).slice(0, MOST_PROFILES) : [];
  return [{ pointer: '', name: null }, ...names.map((name) => ({ pointer: pointerTo('/profiles', name), name }))];
}
