import { conformance } from './conformance.js';
import { close, install } from './stage.js';

try {
  await install();
  for await (const { name, seen, wrong } of conformance())
    console.log(`${wrong.length === 0 ? 'ok ' : 'BAD'} ${name}: ${seen}`, ...wrong.map((x) => `\n      ${x}`));
} finally {
  await close();
}
