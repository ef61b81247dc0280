/** The appearance of a page: light, dark and on paper. */
export const STYLE = `
:root { color-scheme: light dark; --text: #1c2024; --dim: #59616a; --line: #d9dde2; --paper: #ffffff; --frame: #f5f6f8;
  --link: #1a5cb0; --implemented: #1a7f37; --partial: #8a5a00; --missing: #c4242b; --unknown: #59616a; }
@media (prefers-color-scheme: dark) { :root { --text: #e4e7eb; --dim: #a3abb4; --line: #353b42; --paper: #16191d; --frame: #1f2429;
  --link: #79b4f7; --implemented: #57c478; --partial: #eab55c; --missing: #ff8086; --unknown: #a3abb4; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 64rem; padding: 1.5rem 1rem 3rem; background: var(--paper); color: var(--text);
  font: 15px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.4rem; margin: 0; }
h1 + p { font-size: 1.1rem; }
h2 { font-size: 1.05rem; margin: 2rem 0 .5rem; padding-bottom: .3rem; border-bottom: 1px solid var(--line); }
h3 { font-size: .95rem; margin: 1.5rem 0 .3rem; }
h2 + section h3 { margin-top: .5rem; }
p { margin: .3rem 0; }
ul { margin: .3rem 0; padding-left: 1.2rem; }
li { margin: .2rem 0; }
a { color: var(--link); }
code, pre { font: 13px/1.45 ui-monospace, Menlo, Consolas, monospace; }
pre { margin: .4rem 0; padding: .6rem .8rem; background: var(--frame); border-radius: 6px; white-space: pre-wrap; }
.dim, .related { color: var(--dim); }
.implemented { color: var(--implemented); }
.partial { color: var(--partial); }
.missing, .primary { color: var(--missing); }
.unknown, .none, .note { color: var(--unknown); }
svg { display: block; margin-top: .8rem; border-radius: 4px; }
rect.implemented { fill: var(--implemented); } rect.partial { fill: var(--partial); }
rect.missing { fill: var(--missing); } rect.unknown { fill: var(--unknown); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; overflow-wrap: normal; }
tbody th { font-weight: inherit; }
table:has(th:nth-child(8)) { font-size: 13px; }
table:has(th:nth-child(8)) :is(th, td) { padding-right: .5rem; min-width: 3.5rem; }
th, td { text-align: left; vertical-align: top; padding: .35rem .8rem .35rem 0; border-bottom: 1px solid var(--line); }
summary { cursor: pointer; color: var(--link); margin-top: .5rem; }
@media print { body { max-width: none; padding: 0; font-size: 11px; } h2 { break-after: avoid; } table, pre { break-inside: avoid; } }
`;
