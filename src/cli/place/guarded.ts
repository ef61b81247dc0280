/** Reports errors of the file system and of policy files as errors that the user can fix. */
import { EditError } from '../../author/rule-edit.js';
import { LockError } from '../../disk/lock.js';
import { WriteError } from '../../disk/replace.js';
import { LogError } from '../../log/files/log-error.js';
import { UsageError } from '../terminal/exit.js';
import { problemLine } from './open.js';

/** Does the work, and throws UsageError for them. */
export function guarded<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof EditError) throw new UsageError(...error.problems.map(problemLine));
    if (error instanceof WriteError || error instanceof LockError || error instanceof LogError)
      throw new UsageError(error.message);
    throw error;
  }
}
