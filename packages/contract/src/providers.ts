/** Identity providers: the word in addresses and settings, and the displayed name. */
export const providerNames = { google: 'Google', github: 'GitHub', microsoft: 'Microsoft', gitlab: 'GitLab', slack: 'Slack' } as const;
export type Provider = keyof typeof providerNames;
export const providers = Object.keys(providerNames) as [Provider, ...Provider[]];

export const isProvider = (text: unknown): text is Provider => typeof text === 'string' && Object.hasOwn(providerNames, text);

/** The page to which a provider redirects users. Each provider has its own, so that a response is never attributed to another provider. */
export const callbackPath = (provider: Provider) => `/auth/callback/${provider}`;
