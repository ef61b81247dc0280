import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { validateFinding } from '../src/generated/validators/finding.js';

test('a finding without a rule id is refused by its schema', () => {
  assert.is(validateFinding({ severity: 'error' }), false);
});

test.run();
