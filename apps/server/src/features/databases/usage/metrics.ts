import { metricsPoints, metricsSeconds } from '@paddock/contract';
import type { MetricsHandlers } from '../routes.ts';
import type { SamplesStore } from './samples-store.ts';

/** The API call for measurements over time. */
export const metricsHandlers = (store: Pick<SamplesStore, 'series'>, now = () => new Date()): MetricsHandlers => ({
  async metrics({ id, time_range }, { actor }) {
    const points = metricsPoints[time_range];
    const step_s = metricsSeconds[time_range] / points;
    return { time_range, step_s, points: await store.series(actor.team_id, id, { step_s, points, now: now() }) };
  },
});
