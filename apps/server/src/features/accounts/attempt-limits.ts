export interface AttemptLimits {
  /**
   * Failed sign-ins within 15 minutes: of one account, of one IP address, and in total. After that the account is locked for the configured time.
   */
  account: number;
  address: number;
  everybody: number;
  /** Sign-ups from one address within an hour. */
  signups: number;
  /** Mails to one account within an hour, whoever causes them. */
  mails: number;
  /** Requests for a link within an hour: from one address, and in total. */
  linkRequests: number;
  linkRequestsOfAll: number;
  /** Uses of mailed links from one address within 15 minutes. */
  links: number;
}

export const attemptLimits: AttemptLimits = {
  account: 10,
  address: 50,
  everybody: 1000,
  signups: 30,
  mails: 5,
  linkRequests: 20,
  linkRequestsOfAll: 1000,
  links: 50,
};
