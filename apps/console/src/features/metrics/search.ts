import { idOf, oneOf, searchOf } from '../../navigation/search.ts';

/** The part of the metrics page that its address keeps: the agent, and how far back. A day is the default and left out. */
export const metricsSearch = searchOf({ deployment: idOf('dep'), range: oneOf('1h', '7d', '30d') });
