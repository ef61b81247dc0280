/** RM-2, graceful fallback: did the hook do its work at every call that the log reports? */

import { failures } from '../log/claims.js';
import type { Control } from '../subject/control.js';

export const rm2: Control = {
  id: 'RM-2',
  async examine({ log }) {
    return [{ claim: 'worked', runner: null, found: failures(log) }];
  },
};
