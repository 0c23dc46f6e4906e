import { idOf, oneOf, searchOf } from '../../navigation/search.ts';
import { traceParameters } from '../traces/search.ts';

/** The part of the metrics page that its address keeps: the agent, how far back, and what of its traces. A day is the default and left out. */
export const metricsSearch = searchOf({ deployment: idOf('dep'), range: oneOf('1h', '7d', '30d'), ...traceParameters });
