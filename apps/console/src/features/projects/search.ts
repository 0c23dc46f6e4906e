import { oneOf, searchOf, textOf } from '../../navigation/search.ts';

/** What of the projects page lives in its address. */
export const projectsSearch = searchOf({ action: oneOf('new'), q: textOf(100) });
export type ProjectsSearch = ReturnType<typeof projectsSearch>;
