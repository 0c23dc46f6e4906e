/** Styles of the report, for screen and print. */
export const style = `
body { font: 14px/1.5 system-ui, sans-serif; color: #1a1f2b; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; border-bottom: 1px solid #cfd5e1; padding-bottom: .3rem; margin-top: 2rem; }
h3 { font-size: 1rem; margin-bottom: .3rem; } h4 { font-size: .9rem; margin: .6rem 0 .2rem; }
small { color: #5a6478; font-weight: normal; overflow-wrap: anywhere; }
.means { border-left: 4px solid #5a6478; padding-left: .8rem; }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); gap: .6rem; }
.facts div { border: 1px solid #cfd5e1; border-radius: .4rem; padding: .5rem .7rem; }
.facts dt { color: #5a6478; font-size: .8rem; } .facts dd { margin: 0; font-weight: 600; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; vertical-align: top; padding: .35rem .5rem; border-bottom: 1px solid #e2e6ee; }
.passed, .compliant { color: #11683a; } .failed, .non_compliant { color: #a31621; font-weight: 600; }
.unverified, .in_review { color: #805000; } .waived { color: #34508f; }
a { color: #1f4b99; } article { margin-top: 1.2rem; } .resource { margin-left: 1rem; } .history { color: #5a6478; font-size: .8rem; }
pre { background: #f3f5f9; padding: .5rem .7rem; white-space: pre-wrap; overflow-wrap: anywhere; font-size: .75rem; margin: .2rem 0; }
@page { margin: 18mm 15mm; }
@media print {
  body { margin: 0; max-width: none; font-size: 10pt; }
  a { color: inherit; } pre { border: 1px solid #cfd5e1; background: none; }
  tr, h2, h3, h4, .facts div { break-inside: avoid; } h2, h3, h4 { break-after: avoid; } thead { display: table-header-group; }
}
`;
