import { idOf, oneOf, searchOf } from '../../navigation/search.ts';
import { traceParameters } from '../traces/search.ts';

/**
 * The state of the metrics page that is kept in its address: the agent, the range, and the view of its traces. A day is the default, which
 * the address omits.
 */
export const metricsSearch = searchOf({ deployment: idOf('dep'), range: oneOf('1h', '7d', '30d'), ...traceParameters });
