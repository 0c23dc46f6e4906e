import { Webhook } from 'standardwebhooks';
import { brokenAgent } from './agents.ts';
import { deploy, newProject } from './api.ts';
import { expect, expectAccessible, signedIn as test } from './console.ts';
import { linkOf, mailTo } from './mail.ts';
import { openReceiver } from './receiver.ts';

test('a channel is made and tested, a rule is changed, and an alert rings the bell, is snoozed and resolved, all of it told to the channel', async ({
  page,
  person,
}) => {
  const receiver = await openReceiver('noted, thanks');
  // Mails to an unverified address omit the subject of an alert.
  const token = (await linkOf(person.email, 'Verify your e-mail address')).split('#token=')[1] ?? '';
  await person.api.accounts.verify({ token });
  const project = await newProject(person, 'watched');
  let secret = '';
  const told = () =>
    receiver.received.map(({ headers, body }) => new Webhook(secret).verify(body, headers) as { type: string; data: { message?: string } });

  await test.step('a webhook is made; its secret is shown once', async () => {
    await page.goto('/settings?tab=alerts');
    await page.getByRole('button', { name: 'New channel' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Build farm');
    await page.getByRole('textbox', { name: 'Address' }).fill(receiver.url);
    await page.getByRole('button', { name: 'Create channel' }).click();
    const reveal = page.getByRole('dialog', { name: 'Channel created' });
    secret = (await reveal.getByLabel('Signing secret').textContent()) ?? '';
    expect(secret).toMatch(/^whsec_/);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'I have stored it' }).click();
  });

  const card = page.getByRole('listitem', { name: 'Build farm' });
  await test.step('a test reaches it, signed, and its answer is shown', async () => {
    await card.getByRole('button', { name: 'Send a test' }).click();
    await expect(card.getByText('noted, thanks')).toBeVisible();
    expect(told().map(({ type }) => type)).toEqual(['channel.test']);
    // A switch that is half below the page's head would count as too small.
    await page.getByRole('heading', { name: 'Settings' }).scrollIntoViewIfNeeded();
    await expectAccessible(page);
  });

  await test.step('a rule is switched on and given another threshold, which a reload shows', async () => {
    const rule = page.getByRole('listitem', { name: 'No requests' });
    await expect(page.getByRole('combobox', { name: 'Project' })).toHaveValue(project.id);
    await rule.getByRole('switch').check();
    await rule.getByRole('textbox').fill('90');
    await rule.getByRole('textbox').press('Enter');
    await expect(page.getByText('No requests saved')).toBeVisible();
    await page.reload();
    await expect(rule.getByRole('switch')).toBeChecked();
    await expect(rule.getByRole('textbox')).toHaveValue('90');
    await rule.getByRole('button', { name: 'Reset to default' }).click();
    await expect(rule.getByRole('switch')).not.toBeChecked();
    await expect(rule.getByRole('textbox')).toHaveValue('60');
  });

  await test.step('a deployment that fails rings the bell, is mailed, and reaches the channel', async () => {
    await page.goto('/dashboard');
    await deploy(person, project.id, brokenAgent);
    await expect(page.getByRole('button', { name: 'Alerts, 1 open' })).toBeVisible();
    await expect
      .poll(() =>
        told()
          .map(({ type }) => type)
          .sort(),
      )
      .toEqual(['alert.opened', 'channel.test', 'deployment.failed']);
    expect(await mailTo(person.email, `Alert: A deployment of ${project.name} failed`)).toContain('Nothing serves this environment now');
  });

  const alert = page.getByRole('list', { name: 'Open alerts' }).getByRole('listitem');
  await test.step('snoozed, it counts no more and says until when', async () => {
    await page.getByRole('button', { name: 'Alerts, 1 open' }).click();
    await alert.getByRole('button', { name: /^Snooze/ }).click();
    await page.getByRole('menuitem', { name: '8 hours' }).click();
    await expect(alert.getByText(/^Snoozed until/)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Alerts', exact: true })).toHaveCount(1);
    await expectAccessible(page);
  });

  await test.step('resolved, it goes, and the channel hears of that, too', async () => {
    await alert.getByRole('button', { name: /^Mark resolved/ }).click();
    await expect(page.getByText(/^No open alerts/)).toBeVisible();
    await expect.poll(() => told().at(-1)?.type).toBe('alert.resolved');
    expect(told()).toHaveLength(4);
    await page.goto('/settings?tab=alerts');
    await card.getByRole('button', { name: 'Deliveries' }).click();
    const newest = page.getByRole('dialog').getByRole('listitem').first();
    await expect(newest.getByText('An alert is resolved')).toBeVisible();
    await expect(newest.getByText('Delivered', { exact: true })).toBeVisible();
  });
  await receiver.close();
});
