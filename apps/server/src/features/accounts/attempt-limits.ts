export interface AttemptLimits {
  /** Failed sign-ins within 15 minutes: of one account, of one address, and of everybody. The account is locked then for as long as the operator says. */
  account: number;
  address: number;
  everybody: number;
  /** Sign-ups of one address within an hour. */
  signups: number;
  /** Mails to one account within an hour, whoever causes them. */
  mails: number;
  /** Requests for a link within an hour: from one address, and from everybody. */
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
