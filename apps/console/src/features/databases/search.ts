import { filled } from '../../api/filled.ts';
import { idOf, oneOf, type Search, searchOf } from '../../navigation/search.ts';

const parse = searchOf({
  project: idOf('prj'),
  environment: oneOf('production', 'preview'),
  /** The form to connect a database of your own is open. */
  action: oneOf('connect'),
  /** The database whose drawer is open, and the drawer's tab. */
  open: idOf('db'),
  tab: oneOf('backups'),
  /** A day is the default, which the address omits. */
  range: oneOf('1h', '7d', '30d'),
});

/** The state of the databases page that is kept in its address. */
export type DatabasesSearch = ReturnType<typeof parse>;

export function databasesSearch(given: Search): DatabasesSearch {
  const { tab, range, ...rest } = parse(given);
  return rest.open ? filled({ ...rest, tab, range }) : rest;
}
