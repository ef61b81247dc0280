// A process that asks to start agents, as a hook does; each line on standard input is an order, each line out its answer.
import { createInterface } from 'node:readline';
import { requestRun } from '../../src/run/admission.js';
import { answered, recordLifecycle, withdrawn } from '../../src/run/lifecycle.js';
import { spendCall } from '../../src/run/spent-calls.js';
import { request, runContextFor } from './run-context.js';

for await (const text of createInterface({ input: process.stdin })) {
  const order = JSON.parse(text) as { do: string; file: string; agent?: string; limit?: number; patience?: number; id?: string };
  const runContext = runContextFor(order.file);
  if (order.do === 'start') {
    const rules = { limit: order.limit ?? 1, patience: order.patience ?? 0 };
    const admission = requestRun(request({ agent: order.agent ?? `agent-${process.pid}` }), rules, runContext);
    if (admission.admitted) answered(admission.id, runContext);
    console.log(JSON.stringify(admission));
  } else if (order.do === 'start-unanswered') {
    console.log(JSON.stringify(requestRun(request({}), { limit: 1, patience: 0 }, runContext)));
  } else if (order.do === 'spend') {
    console.log(JSON.stringify(spendCall(order.file, runContext.now(), `${process.pid}.${Math.random()}`)));
  } else if (order.do === 'end') {
    withdrawn(order.id ?? '', 'completed', runContext);
    console.log('{}');
  } else if (order.do === 'session-ended') {
    recordLifecycle({ kind: 'session-ended' }, request({}), runContext);
    console.log('{}');
  }
}
