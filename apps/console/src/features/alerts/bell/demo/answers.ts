import type { Client } from '@paddock/client';
import type { Alert } from '@paddock/contract';
import { ApiError } from '@paddock/contract/errors';
import type { contract } from '@paddock/contract/routes';
import { answer, paginate } from '../../../../demo/answering.ts';
import type { DemoWorld } from '../../../../demo/demo-world.ts';

export function demoAlerts(world: DemoWorld): Client<typeof contract>['alerts'] {
  return {
    list: (input = {}, options) =>
      answer(() => {
        const { deployment_id, resolved } = input;
        const found = world.alerts
          .filter((each) => deployment_id === undefined || each.deployment_id === deployment_id)
          .filter((each) => resolved === undefined || each.resolved === (resolved === 'true'));
        const { rows, next_cursor } = paginate(found.map(awake), input);
        const open = world.alerts.map(awake).filter((each) => !each.resolved && each.snoozed_until === null).length;
        return { alerts: rows, next_cursor, open };
      }, options),
    get: ({ id }, options) =>
      answer(() => {
        const alert = world.alerts.find((each) => each.id === id);
        if (!alert) throw new ApiError('alert_not_found');
        return awake(alert);
      }, options),
    resolve: ({ id }, options) =>
      answer(() => {
        const alert = world.alerts.find((each) => each.id === id);
        if (!alert) throw new ApiError('alert_not_found');
        if (!alert.resolved) Object.assign(alert, { resolved: true, resolved_at: new Date().toISOString(), snoozed_until: null });
        world.changed();
        return alert;
      }, options),
    snooze: ({ id, minutes }, options) =>
      answer(() => {
        const alert = world.alerts.find((each) => each.id === id);
        if (!alert) throw new ApiError('alert_not_found');
        if (alert.resolved) throw new ApiError('alert_resolved');
        alert.snoozed_until = minutes === 0 ? null : new Date(Date.now() + minutes * 60_000).toISOString();
        world.changed();
        return alert;
      }, options),
  };
}

/** Clears a snooze that has expired. */
const awake = (alert: Alert): Alert =>
  alert.snoozed_until !== null && Date.parse(alert.snoozed_until) <= Date.now() ? { ...alert, snoozed_until: null } : alert;
