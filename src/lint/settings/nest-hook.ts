/** Moves a hook that is beside its matcher into the list that its entry requires. */
import { isFields } from '../../call/fields.js';
import type { ConfigFile } from '../files/files.js';
import type { Fix } from '../text/finding.js';
import { endOfValue } from '../text/json-text.js';

/** @param pointer of the entry; null if the text is not plain enough to be changed safely */
export function nestedHook(file: ConfigFile, pointer: string): Fix | null {
  const { data, path, source } = file;
  const entry = data?.at(pointer);
  if (data === null || !isFields(entry) || file.mistakes.some(({ what }) => what === 'syntax' || what === 'duplicate-key'))
    return null;
  const start = source.offsetAt(data.valueSpan(pointer));
  const end = endOfValue(source.text, start);
  if (source.text[start] !== '{' || source.text[end - 1] !== '}') return null;
  const description = 'Put the hook into a list "hooks"';
  const keys = Object.keys(entry);
  if (!keys.includes('matcher')) {
    const edits = [
      { file: path, start, end: start, text: '{ "hooks": [' },
      { file: path, start: end, end, text: '] }' },
    ];
    return { description, edits };
  }
  if (keys[0] !== 'matcher' || keys.length < 2) return null;
  const matcherAt = source.offsetAt(data.valueSpan(`${pointer}/matcher`));
  const behind = endOfValue(source.text, matcherAt);
  if (source.text[behind] !== ',') return null;
  const edits = [
    { file: path, start: behind + 1, end: behind + 1, text: ' "hooks": [{' },
    { file: path, start: end - 1, end: end - 1, text: '}]' },
  ];
  return { description, edits };
}
