// What a person sees first: alike on the terminal, in Markdown and on a page.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { auditAsHtml, auditAsMarkdown, fullAuditOnTerminal } from '../../src/report/audit/document.js';
import { auditOnTerminal } from '../../src/report/audit/first-screen.js';
import { auditedProject, SETTINGS } from './audited.js';

const project = auditedProject();
const intact = await project.audit();
project.write(SETTINGS, '{}\n');
const hookless = await project.audit();
const original = await project.audit({ checklists: ['risk-mitigation'] });

test('one sentence says what is in force', () => {
  assert.is(intact.sentence, 'All 17 controls are in force.');
  assert.match(
    hookless.sentence,
    /^Nothing is enforced here: no coding agent asks policy\. \d+ have gaps\. \d+ could not be checked in full\.$/,
  );
  for (const text of [auditAsMarkdown(hookless), auditAsHtml(hookless), auditOnTerminal(hookless, { color: false, width: 200 })])
    assert.ok(text.includes(hookless.sentence));
});

for (const width of [40, 60, 80, 120, 200])
  test(`a terminal of ${width} columns: at most 60 lines, none of them Markdown`, () => {
    for (const report of [intact, hookless, original]) {
      const text = auditOnTerminal(report, { color: false, width });
      assert.ok(text.trimEnd().split('\n').length <= 60, String(text.trimEnd().split('\n').length));
      assert.match(text, /policy audit --full/);
      assert.not.match(text, /<details>|\*\*|^\|/m);
    }
  });

test('a proven gap and what was not checked differ in words and in color', () => {
  const terminal = auditOnTerminal(hookless, { color: true, width: 100 });
  assert.match(terminal, /\u001b\[31m\u001b\[1m❌ Proven gap/);
  assert.match(terminal, /\u001b\[33m\u001b\[1m(?:⏳ Pending|⚠️ Partial), not checked/);
  const page = auditAsHtml(hookless);
  assert.match(page, /<span class="missing">✕ Proven gap<\/span>/);
  assert.match(page, /<tr role="row" class="is-(?:pending|partial)">/);
});

test('each gap has one step, the hook first', () => {
  const [first] = hookless.recommendations;
  assert.equal([first?.action, first?.standing], ['Run `policy install claude-code`.', 'proven gap']);
  for (const { action } of [...hookless.recommendations, ...intact.recommendations]) assert.match(action, /^[A-Z].*`.*\.$/);
});

test('every control has the headings of the original (R004), and the rest is folded', () => {
  const text = auditAsMarkdown(hookless);
  const parts = text.split(/^### /m).slice(1, 18);
  assert.is(parts.length, 17);
  for (const part of parts)
    for (const heading of ['Current Status', 'Priority', 'Risk', 'Analysis', 'Integration Point', 'Validation'])
      assert.ok(part.includes(`**${heading}**`), heading);
  assert.match(text, /\*\*Gap Identified\*\*:[\s\S]*\*\*Mitigation Required\*\*:/);
  assert.is(text.match(/<details>/g)?.length, text.match(/<\/details>/g)?.length);
  assert.not.match(fullAuditOnTerminal(hookless, { color: false, width: 80 }), /<details>/);
});

test('weeks, GA and the rows of the original belong to its own checklist', () => {
  assert.not.match(auditAsMarkdown(hookless), /\bWeek \d|\bGA\b/);
  assert.match(auditAsMarkdown(original), /\| Risk Category \| Current Status \| Mitigation Level \| Action Required \|\n/);
  assert.match(auditAsMarkdown(original), /- Week 1, RM-4: [\s\S]*before GA release/);
});

test('controls are in order, with ids, score and a date for people', () => {
  const ids = [...auditAsMarkdown(hookless).matchAll(/^\| ([A-Z]{2}-\d+) \|/gm)].map(([, id]) => id);
  assert.equal(
    ids,
    hookless.controls.map(({ id }) => id),
  );
  for (const text of [auditAsMarkdown(hookless), auditAsHtml(hookless)])
    assert.match(text, /, \d{1,2} [A-Z][a-z]+ 20\d\d, \d\d:\d\d UTC\. Score \d+ % over /);
});

test('a page has cards for a phone and a filter without script', () => {
  const page = auditAsHtml(hookless);
  assert.match(page, /<td role="cell" data-head="Risk Category">/);
  assert.match(page, /<input type="checkbox" class="filter" id="filter"><label for="filter">/);
  assert.not.match(page, /<script/);
});

test('what is met says what was looked at, and of which kind the evidence is (R059)', () => {
  for (const { claims } of intact.controls)
    for (const { verdict, lookedAt, proof, id } of claims)
      if (verdict === 'met') assert.ok(lookedAt !== null && proof !== 'unverified', id);
  assert.match(auditAsMarkdown(hookless), /⚠️ Unverified, claude-code: .* Not checked: /);
  assert.match(auditAsMarkdown(intact), /✅ Tested, claude-code: .* Checked: \d+ test calls to the hook in /);
});

test.run();
