/** Name and description: required, with the messages of the original documents. */
import { complain, type Fields } from './fields.js';

/** Returns the name as written; null, with a complaint, if it is absent, blank or not a string. */
export function requiredName(fields: Fields): string | null {
  return required(fields, 'name', 'agent/name-missing');
}

/** Returns the description; null, with a complaint, if it is absent, blank or not a string. */
export function requiredDescription(fields: Fields): string | null {
  return required(fields, 'description', 'agent/description-missing');
}

function required(fields: Fields, key: 'name' | 'description', code: string): string | null {
  const value = fields.data.get(key);
  if (typeof value === 'string' && value.trim() !== '') return value.trim();
  const absent = value === undefined || value === null;
  complain(fields, key, code, absent ? `${key} is required` : `frontmatter is missing a non-empty \`${key}\` field`);
  return null;
}
