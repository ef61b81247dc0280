/** The appearance of a page: light, dark, on a phone and on paper. */
export const STYLE = `
:root { color-scheme: light dark; --text: #1c2024; --dim: #59616a; --line: #d9dde2; --paper: #ffffff; --frame: #f5f6f8;
  --link: #1a5cb0; --implemented: #1a7f37; --partial: #8a5a00; --missing: #c4242b; --none: #59616a;
  --gap: #fdf0f0; --open: #fdf6e7; }
@media (prefers-color-scheme: dark) { :root { --text: #e4e7eb; --dim: #a3abb4; --line: #353b42; --paper: #16191d; --frame: #1f2429;
  --link: #79b4f7; --implemented: #57c478; --partial: #eab55c; --missing: #ff8086; --none: #a3abb4;
  --gap: #2b1a1c; --open: #282114; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 68rem; padding: 1.5rem 1rem 3rem; background: var(--paper); color: var(--text);
  font: 15px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.4rem; margin: 0; }
h1 + p { font-size: 1.15rem; }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; padding-bottom: .3rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 1.2rem 0 .3rem; }
p { margin: .3rem 0; }
ul { margin: .3rem 0; padding-left: 1.2rem; }
li { margin: .3rem 0; }
ul ul { list-style: none; padding-left: .2rem; }
a { color: var(--link); }
code, pre { font: 13px/1.45 ui-monospace, Menlo, Consolas, monospace; }
pre { margin: .4rem 0; padding: .6rem .8rem; background: var(--frame); border-radius: 6px; white-space: pre-wrap; }
.dim, .related { color: var(--dim); }
.implemented { color: var(--implemented); }
.partial, .pending { color: var(--partial); }
.missing, .primary { color: var(--missing); }
.none, .note { color: var(--none); }
span.missing, span.partial, span.pending { font-weight: 600; }
section.is-missing, section.is-partial, section.is-pending { padding: .1rem .9rem .6rem; border-left: 4px solid var(--missing); background: var(--gap);
  margin: .8rem 0; border-radius: 0 6px 6px 0; }
section.is-partial, section.is-pending { border-color: var(--partial); background: var(--open); }
tr.is-missing { background: var(--gap); } tr.is-partial, tr.is-pending { background: var(--open); }
svg { display: block; margin-top: .8rem; border-radius: 4px; }
rect.implemented { fill: var(--implemented); } rect.partial { fill: var(--partial); }
rect.missing { fill: var(--missing); } rect.none { fill: var(--none); }
.filter { margin: .8rem .3rem 0 0; }
.filter:checked ~ section :is(tr, li, section):is(.is-implemented, .is-none) { display: none; }
table { border-collapse: collapse; width: 100%; overflow-wrap: normal; }
tbody th { font-weight: inherit; }
.wide { overflow-x: auto; }
table:has(th:nth-child(8)) { font-size: 13px; }
table:has(th:nth-child(8)) :is(th, td) { padding-right: .5rem; min-width: 3.5rem; }
th, td { text-align: left; vertical-align: top; padding: .35rem .8rem .35rem .3rem; border-bottom: 1px solid var(--line); }
summary { cursor: pointer; color: var(--link); margin-top: .5rem; }
@media (max-width: 46rem) {
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  table, tbody, tr, tbody th, td { display: block; min-width: 0 !important; overflow-wrap: anywhere; }
  tr { margin: 0 0 .8rem; padding: .4rem .7rem; border: 1px solid var(--line); border-left: 4px solid var(--line); border-radius: 6px; }
  tr.is-missing { border-left-color: var(--missing); } tr.is-partial, tr.is-pending { border-left-color: var(--partial); }
  tr.is-implemented { border-left-color: var(--implemented); }
  tbody th { font-weight: 600; } th, td { padding: .15rem 0 !important; border: 0; }
  td { display: grid; grid-template-columns: 9rem 1fr; gap: .5rem; }
  td::before { content: attr(data-head); color: var(--dim); }
}
@media print { body { max-width: none; padding: 0; font-size: 11px; } h2 { break-after: avoid; } table, pre { break-inside: avoid; }
  .filter, .filter + label { display: none; } }
`;
