/** The gateway's access to judge.ts, in place of that file: a bundle of its own, which is loaded while the server starts. */
import { startCached } from '../../hook/cached.js';
import type { Judge } from '../session/session.js';

/** Of the time that this process took to start: a quick server has answered by then, and one in Node.js is still starting. */
const SOON = 0.5;

/** See `judgeOf` of judge.ts. If the bundle is damaged, this throws where a call is to be judged, and the gateway ends. */
export const judgeOf: typeof import('../judge.js').judgeOf = (options) => {
  let judge: Judge | null = null;
  const own = () => {
    judge ??= (startCached('gateway-judge', 'judgeOf') as typeof import('../judge.js')).judgeOf(options);
    return judge;
  };
  setTimeout(own, SOON * 1000 * process.uptime()).unref();
  return {
    judge: (call, meta) => own().judge(call, meta),
    isDenied: (call) => own().isDenied(call),
    visible: (tools) => own().visible(tools),
  };
};
