import type { Client } from '@paddock/client';
import type { ModelProvider, SeenProvider } from '@paddock/contract';
import type { contract } from '@paddock/contract/routes';
import { hourMs } from '@paddock/contract/time';
import { answer } from '../../../demo/answering.ts';

const sample: ModelProvider[] = [
  { provider: 'anthropic', region: 'us', agreement: 'dpa', note: '' },
  { provider: 'openai', region: 'eu', agreement: 'dpa', note: 'Zero data retention' },
];

/** Providers that the sample traces call, with their entries in the register. */
export const demoSeen = (providers: readonly ModelProvider[]): SeenProvider[] =>
  (
    [
      ['openai', 'api.openai.com', 1_284, ['support-router', 'invoice-triage']],
      ['anthropic', 'api.anthropic.com', 417, ['web-scout']],
      ['mistral_ai', 'api.mistral.ai', 36, ['web-scout']],
    ] as const
  ).map(([provider, host, calls, projects], hours) => ({
    provider,
    host,
    calls,
    last_seen: new Date(Date.now() - hours * hourMs).toISOString(),
    projects: [...projects],
    register: providers.find((one) => one.provider === provider || one.provider === host) ?? null,
  }));

/** The demo's register of providers; changes last until reload. */
export function demoModelProviders(): Client<typeof contract>['modelProviders'] {
  let providers = sample;
  return {
    list: (_input, options) => answer(() => ({ providers, seen: demoSeen(providers) }), options),
    set: (input, options) =>
      answer(() => {
        providers = input.providers
          .map(({ provider, region = '', agreement, note = '' }) => ({ provider: provider.trim().toLowerCase(), region, agreement, note }))
          .toSorted((a, b) => (a.provider < b.provider ? -1 : 1));
        return { providers };
      }, options),
  };
}
