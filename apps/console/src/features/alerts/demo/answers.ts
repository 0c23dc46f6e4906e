import type { Client } from '@paddock/client';
import { ApiError } from '@paddock/contract/errors';
import type { contract } from '@paddock/contract/routes';
import { answer, pageOf } from '../../../demo/answering.ts';
import type { DemoWorld } from '../../../demo/demo-world.ts';

export function demoAlerts(world: DemoWorld): Client<typeof contract>['alerts'] {
  return {
    list: (input = {}, options) =>
      answer(() => {
        const { deployment_id, resolved } = input;
        const found = world.alerts
          .filter((each) => deployment_id === undefined || each.deployment_id === deployment_id)
          .filter((each) => resolved === undefined || each.resolved === (resolved === 'true'));
        const { rows, next_cursor } = pageOf(found, input);
        return { alerts: rows, next_cursor, open: world.alerts.filter((each) => !each.resolved).length };
      }, options),
    resolve: ({ id }, options) =>
      answer(() => {
        const alert = world.alerts.find((each) => each.id === id);
        if (!alert) throw new ApiError('alert_not_found');
        if (!alert.resolved) Object.assign(alert, { resolved: true, resolved_at: new Date().toISOString() });
        world.changed();
        return alert;
      }, options),
  };
}
