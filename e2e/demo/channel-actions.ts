import { type Action, dialog, inDialog, menu } from './actions.ts';
import { json } from './scripted.ts';

const delivery = {
  id: 'dlv_1',
  event: 'alert.opened',
  status: 'failed',
  attempts: 7,
  response_status: 500,
  response_text: 'out of order',
  error: 'It answered 500.',
  created_at: '2026-11-20T10:00:00.000Z',
  delivered_at: null,
  next_attempt_at: null,
};
const channel = {
  id: 'chn_1',
  name: 'CI',
  type: 'webhook',
  url: 'https://ci.example.com/hooks',
  events: ['alert.opened'],
  is_active: true,
  off_reason: null,
  created_at: '2026-11-20T10:00:00.000Z',
  last_delivery: delivery,
};
const path = '/settings?tab=alerts';

/** Button presses that change channels. */
export const channelActions: Record<string, Action> = {
  'create channel': {
    path: `${path}&action=new`,
    async ready(page) {
      await dialog(page).getByLabel('Name').fill('another');
      await dialog(page).getByLabel('Address').fill('https://example.com');
      return inDialog(page, 'Create channel');
    },
    answer: { channel, secret: 'whsec_secret' },
  },
  'save channel': {
    path,
    async ready(page) {
      await menu(page, 'Actions for CI', 'Edit');
      await dialog(page).getByLabel('Name').fill('another');
      return inDialog(page, 'Save changes');
    },
    answer: channel,
  },
  'test channel': {
    path,
    ready: async (page) => page.getByRole('button', { name: 'Send a test to CI' }),
    answer: { is_delivered: true, status: 200, duration_ms: 5, answer: 'ok', error: null },
  },
  'switch off channel': {
    path,
    ready: async (page) => page.getByRole('button', { name: 'Switch off CI' }),
    answer: channel,
  },
  'rotate secret of channel': {
    path,
    async ready(page) {
      await menu(page, 'Actions for CI', 'Rotate secret');
      return inDialog(page, 'Rotate secret');
    },
    answer: { channel, secret: 'whsec_secret' },
  },
  'delete channel': {
    path,
    async ready(page) {
      await menu(page, 'Actions for CI', 'Delete');
      return inDialog(page, 'Delete channel');
    },
    answer: null,
  },
  'retry delivery': {
    path,
    async ready(page) {
      await page.getByRole('button', { name: 'Deliveries of CI' }).click();
      return dialog(page).getByRole('button', { name: /^Retry/ });
    },
    answer: { ...delivery, status: 'pending' },
  },
};

/** Responses to the reads of the channels tab. */
export const channelLists = {
  'GET /channels': json({ channels: [channel] }),
  'GET /channels/chn_1/deliveries': json({ deliveries: [delivery], next_cursor: null }),
};
