const hour = 3600;

/** What is mailed as a link: the console's page for it, how long it lives in seconds, and that in words. */
export const mailedLinks = {
  'verify-email': { page: '/verify-email', lifetime_s: 72 * hour, lives: '3 days' },
  'reset-password': { page: '/reset-password', lifetime_s: hour, lives: '1 hour' },
  'confirm-new-email': { page: '/confirm-email', lifetime_s: hour, lives: '1 hour' },
} as const;
export type LinkPurpose = keyof typeof mailedLinks;

/**
 * The address of a mailed link. It comes from the configuration alone, never from a request's Host. The token stands behind the '#': browsers
 * send that to nobody, so it is in no server's log and in no Referer.
 */
export const linkTo = (publicUrl: string, purpose: LinkPurpose, token: string) => `${publicUrl}${mailedLinks[purpose].page}#token=${token}`;
