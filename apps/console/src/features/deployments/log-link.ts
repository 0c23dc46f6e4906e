import { writeQuery } from '../../navigation/search.ts';
import { parametersOf } from '../logs/search.ts';
import type { LogView } from '../logs/use-log-view.ts';

/** A shareable address of a deployment's page with the current view of its log. */
export const logLink = (id: string, view: LogView) =>
  `${location.origin}/deployments/${id}${writeQuery({ ...parametersOf(view) })}${view.line === null ? '' : `#L${view.line}`}`;
