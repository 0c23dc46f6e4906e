import type { Client } from '@paddock/client';
import type { ModelProvider } from '@paddock/contract';
import type { contract } from '@paddock/contract/routes';
import { answer } from '../../../demo/answering.ts';

const sample: ModelProvider[] = [
  { provider: 'anthropic', region: 'us', agreement: 'dpa', note: '' },
  { provider: 'openai', region: 'eu', agreement: 'dpa', note: 'Zero data retention' },
];

/** The register of providers of the demo, kept until the page is loaded again. */
export function demoModelProviders(): Client<typeof contract>['modelProviders'] {
  let providers = sample;
  return {
    list: (_input, options) => answer(() => ({ providers }), options),
    set: (input, options) =>
      answer(() => {
        providers = input.providers
          .map(({ provider, region = '', agreement, note = '' }) => ({ provider: provider.trim().toLowerCase(), region, agreement, note }))
          .toSorted((a, b) => (a.provider < b.provider ? -1 : 1));
        return { providers };
      }, options),
  };
}
