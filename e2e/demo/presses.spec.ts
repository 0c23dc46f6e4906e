import type { Route } from '@playwright/test';
import { isLongSize } from '../../scripts/test/size.ts';
import { actions, lists } from './actions.ts';
import { alertActions, alertLists } from './alert-actions.ts';
import { billingActions, billingLists } from './billing-actions.ts';
import { channelActions, channelLists } from './channel-actions.ts';
import { expect, test } from './console.ts';
import { pressTwice } from './double-press.ts';
import { governanceActions, governanceLists } from './governance-actions.ts';
import { priceActions, priceLists } from './price-actions.ts';
import { json, problem, signedIn } from './scripted.ts';

// Each test has a page of its own.
test.describe.configure({ mode: 'parallel' });

const refusal = 'Refused for this test.';

/** Records every press that the page lets through, by the name of the pressed control. */
const recordPresses = `window.presses = []; addEventListener('click', (event) => {
  const pressed = event.target.closest('button, a, input, label, summary');
  window.presses.push(pressed ? (pressed.getAttribute('aria-label') || pressed.textContent || pressed.name) : 'nothing');
});`;

const all = { ...actions, ...alertActions, ...billingActions, ...channelActions, ...priceActions, ...governanceActions };

/**
 * Presses of different kinds, by the place of the button and by what follows. All of them send through `useAction`, which a law of the
 * repository demands, so the short size presses one of each kind.
 */
const differentInKind = [
  'sign up', // a form without a session
  'sign in with a code', // a refusal that leads on to another field
  'create project', // a form in a dialog
  'create API key', // a dialog that then shows the result
  'deploy', // an upload
  'redeploy', // a confirmation that leads to another address
  'stop deployment', // a confirmation that stays
  'delete project', // a menu, then a typed name
  'save profile', // a form in a page
  'end a session', // a button in a row that disappears
  'resolve an alert', // a popover in the header
  'switch on rule', // a switch
  'save threshold', // a field in a row
  'test channel', // an answer below the row
  'confirm payment', // a banner above every page
  'cancel subscription', // a confirmation by the browser itself
  'add a card', // an address elsewhere
  'erase data of a person', // a password in a dialog above a dialog
  'export the audit trail', // a file
  'keep access', // a row that stays and changes
  'run a compliance check', // work that goes on after the answer
];
for (const name of differentInKind) if (!(name in all)) throw new Error(`No press is called ${name}.`);

for (const [name, { path, isSignedOut, ready, answer, first }] of Object.entries(all).filter(
  ([one]) => isLongSize() || differentInKind.includes(one),
))
  test(`a double press on ${name} is one request and moves nothing, whatever is answered`, async ({ page, site }) => {
    const keys: (string | undefined)[] = [];
    let isFirst = first !== undefined;
    let works = false;
    const visit = {
      address: `${site.url}${path}`,
      isSignedOut: isSignedOut === true,
      async change(route: Route) {
        if (isFirst && first) {
          isFirst = false;
          return first(route);
        }
        if (route.request().url().endsWith('/logs/ticket')) return problem(404, 'deployment_not_found', 'Not here.')(route);
        keys.push(route.request().headers()['idempotency-key']);
        await new Promise((resolve) => setTimeout(resolve, 30));
        if (!works) return problem(500, 'internal', refusal)(route);
        return answer === null ? route.fulfill({ status: 204 }) : json(answer)(route);
      },
    };
    await signedIn(page, visit, { ...lists, ...alertLists, ...channelLists, ...priceLists, ...governanceLists, ...billingLists });
    const button = await ready(page);
    await button.scrollIntoViewIfNeeded();
    await expect(button).toBeEnabled();
    const pressedName = await button.evaluate((element) => element.getAttribute('aria-label') ?? element.textContent);
    const before = await button.boundingBox();
    if (!before) throw new Error('The button has no box.');
    await page.evaluate(recordPresses);

    await pressTwice(page, [before.x + before.width / 2, before.y + before.height / 2]);
    await expect(page.getByText(refusal).first()).toBeVisible();
    await expect(button).toBeEnabled();
    expect(await button.boundingBox()).toEqual(before);
    expect(keys).toHaveLength(1);
    const presses = await page.evaluate<string[]>('window.presses');
    expect(presses.filter((pressed) => !/^(Sign|Creat|Send|Set|Deploy|Try|Verify)/.test(pressed) && pressed !== pressedName)).toEqual([]);

    works = true;
    await button.evaluate((element) => {
      (element as unknown as { click(): void }).click();
      (element as unknown as { click(): void }).click();
    });
    await expect.poll(() => keys.length).toBe(2);
    await page.waitForTimeout(100);
    expect(keys).toHaveLength(2);
    // The outcome of the first press is unknown, so the second one repeats it with the same key.
    expect(keys[1]).toBe(keys[0]);
  });
