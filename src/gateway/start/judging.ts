/** dist/gateway-judge.cjs: what decides, for both programs, and the tool server, which is of no use without it. */
export { judgeOf } from '../judge.js';
export { governedTools, runServe } from '../serve/serve.js';
