import type { Context } from '../context.ts';
import { minute } from './list.ts';
import { snoozeMinutes } from './spans.ts';

export async function resolveAlert(context: Context, id: string) {
  const { api } = await context.server();
  const alert = await api.alerts.resolve({ id });
  context.terminal.result(alert, `Resolved: ${alert.message}`);
}

export async function snoozeAlert(context: Context, id: string, span: string) {
  const minutes = snoozeMinutes(span);
  const { api } = await context.server();
  const alert = await api.alerts.snooze({ id, minutes });
  const told =
    alert.snoozed_until === null ? `Awake again: ${alert.message}` : `Snoozed until ${minute(alert.snoozed_until)} UTC: ${alert.message}`;
  context.terminal.result(alert, told);
}
