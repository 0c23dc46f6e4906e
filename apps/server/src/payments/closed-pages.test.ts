// Cards are entered on the page of the provider: none of its code is ever loaded into ours, and no field of ours accepts a card number.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contract } from '@paddock/contract';
import { startApi } from '../../test/server.ts';
import { stripeKeys } from '../../test/stripe/stand-in.ts';

test('with Stripe configured, pages load scripts, frames and pictures from this installation alone, and name no secret', async (t) => {
  const { origin } = await startApi(t, { stripe: { ...stripeKeys, api_url: undefined } });
  for (const path of ['/', '/billing', '/settings?tab=billing', '/api/v1/system', '/api/v1/openapi.json', '/docs/billing']) {
    const answer = await fetch(`${origin}${path}`);
    const policy = answer.headers.get('content-security-policy') ?? '';
    // Pages of the guides run no script at all.
    const closed = path.startsWith('/docs/')
      ? /^default-src 'none'; style-src 'self'; img-src 'self';/
      : /default-src 'self';.*script-src 'self';.*connect-src 'self' ws: wss:;.*form-action 'self'/;
    assert.match(policy, closed, path);
    assert.doesNotMatch(policy, /stripe|https?:|\*/, path);
    assert.match(answer.headers.get('permissions-policy') ?? '', /payment=\(\)/, path);
    const told = JSON.stringify([...answer.headers]) + (await answer.text());
    for (const secret of Object.values(stripeKeys)) assert.ok(!told.includes(secret), path);
  }
});

test('no field of the calls of billing takes a card number', () => {
  const numbers = ['4242424242424242', '4242 4242 4242 4242', '4242-4242-4242-4242'];
  for (const [name, { input, path }] of Object.entries(contract.billing))
    for (const field of Object.keys(input.shape).filter((each) => !path.includes(`:${each}`)))
      for (const number of numbers) {
        const read = input.safeParse({ plan: 'pro', payment_method_id: 'pm_card_visa', [field]: number });
        assert.ok(!read.success && JSON.stringify(read.error.issues).includes(`"${field}"`), `${name}.${field}`);
      }
});
