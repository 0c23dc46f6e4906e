import type { Action } from './actions.ts';
import { json } from './scripted.ts';

const rule = { rule: 'error_rate', label: 'Error rate', unit: 'share', threshold: 0.05, is_on: false, is_default: false };
const path = '/settings?tab=alerts';

/** Button presses that change alert rules. */
export const alertActions: Record<string, Action> = {
  'switch on rule': {
    path,
    ready: async (page) => page.getByRole('switch', { name: 'Error rate' }),
    answer: rule,
  },
  'save threshold': {
    path,
    async ready(page) {
      await page.getByRole('textbox', { name: /^Error rate/ }).fill('7');
      return page.getByRole('button', { name: 'Save the threshold of Error rate' });
    },
    answer: rule,
  },
  'reset rule': {
    path,
    ready: async (page) => page.getByRole('button', { name: 'Reset to default: Error rate' }),
    answer: null,
  },
};

/** Responses to the reads of the alerts tab, except for channels. */
export const alertLists = { 'GET /projects/prj_1/alert-rules': json({ alert_rules: [rule] }) };
