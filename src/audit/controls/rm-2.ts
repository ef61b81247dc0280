/** RM-2, graceful fallback: nothing gathers evidence for it, so that it stays unproven and says what would be needed. */
import type { Control } from '../control.js';

export const rm2: Control = { id: 'RM-2', examine: async () => new Map() };
