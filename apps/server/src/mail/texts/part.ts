import type { MailText, Part } from '../layout.ts';
import { type LinkPurpose, linkTo, mailedLinks } from '../links.ts';
import type { Mails, Origin } from '../mails.ts';

/** The texts of some mails, as functions of the queued data and of the console's public address. */
export type Texts<T extends keyof Mails> = { [N in T]: (data: Mails[N], publicUrl: string) => MailText };

/** Greets by name only if it looks like a name: a stranger may have typed it, and mail programs turn text that looks like an address into links. */
export const greeting = (name: string) => (/^[\p{L}\p{M}\p{N} ,'’-]{1,60}$/u.test(name) ? `Hello ${name},` : 'Hello,');

export const link = (label: string, publicUrl: string, { purpose, token }: { purpose: LinkPurpose; token: string }): Part => ({
  label,
  href: linkTo(publicUrl, purpose, token),
});

export const livesOnce = (purpose: LinkPurpose) => `The link works once, within ${mailedLinks[purpose].lives}.`;

/** Time and place of a request. */
export const facts = (origin: Origin, ...more: [string, string][]): Part => ({
  facts: [...more, ['When', moment(origin.at)], ['Address', origin.ip || 'unknown'], ['Browser', origin.user_agent || 'unknown']],
});

const moment = (at: Date) => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** For a reader who did not make the request. */
export const notYou = (publicUrl: string): Part[] => [
  'If this was not you, set a new password at once. That ends every session of the account.',
  { label: 'Set a new password', href: `${publicUrl}/forgot-password` },
];
