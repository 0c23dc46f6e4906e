const hour = 3600;

/** The kinds of mailed links: the console's page, the link's lifetime, and that time in words. */
export const mailedLinks = {
  'verify-email': { page: '/verify-email', lifetimeSeconds: 72 * hour, lives: '3 days' },
  'reset-password': { page: '/reset-password', lifetimeSeconds: hour, lives: '1 hour' },
  'confirm-new-email': { page: '/confirm-email', lifetimeSeconds: hour, lives: '1 hour' },
} as const;
export type LinkPurpose = keyof typeof mailedLinks;

/**
 * The URL of a mailed link. Its host comes from the configuration, never from a request's Host header. The token is in the fragment, which browsers
 * do not send, so that the token appears in no server log and in no Referer.
 */
export const linkTo = (publicUrl: string, purpose: LinkPurpose, token: string) => `${publicUrl}${mailedLinks[purpose].page}#token=${token}`;
