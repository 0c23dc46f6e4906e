import { idOf, oneOf, searchOf, textOf } from '../../navigation/search.ts';

const short = textOf(64);

/** The state of the governance page that is kept in its address: the tab, the filters of the trail, and the open dialog. */
export const governanceSearch = searchOf({
  tab: oneOf('compliance', 'policies', 'data-governance'),
  q: textOf(200),
  agent: short,
  type: short,
  status: oneOf('success', 'warning', 'error'),
  from: short,
  to: short,
  user: short,
  trace: short,
  open: oneOf('export', 'pii', 'new', 'edit', 'request'),
  log: idOf('aud'),
  lineage: short,
  framework: short,
  control: short,
  policy: idOf('pol'),
  request: idOf('dsr'),
  review: idOf('arv'),
});
