const hour = 3600;

/** The kinds of mailed links: the console's page, how long the link lives, and that time in words. */
export const mailedLinks = {
  'verify-email': { page: '/verify-email', lifetimeSeconds: 72 * hour, lives: '3 days' },
  'reset-password': { page: '/reset-password', lifetimeSeconds: hour, lives: '1 hour' },
  'confirm-new-email': { page: '/confirm-email', lifetimeSeconds: hour, lives: '1 hour' },
} as const;
export type LinkPurpose = keyof typeof mailedLinks;

/**
 * The address of a mailed link. It comes from the configuration alone, never from a request's Host. The token stands behind the '#', which browsers
 * send to nobody, so that the token is in no server's log and in no Referer.
 */
export const linkTo = (publicUrl: string, purpose: LinkPurpose, token: string) => `${publicUrl}${mailedLinks[purpose].page}#token=${token}`;
