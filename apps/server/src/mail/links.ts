/** The console's page for each kind of link that is mailed. */
export const linkPages = {
  'verify-email': '/verify-email',
  'reset-password': '/reset-password',
  'confirm-new-email': '/confirm-email',
} as const;
export type LinkPurpose = keyof typeof linkPages;

/**
 * A mailed link. Its address comes from the configuration alone, never from a request's Host. The token stands behind the '#': browsers send
 * that to nobody, so it is in no server's log and in no Referer.
 */
export const linkTo = (publicUrl: string, purpose: LinkPurpose, token: string) => `${publicUrl}${linkPages[purpose]}#token=${token}`;
