/** A mail as it leaves. */
export interface Outgoing {
  /** The same at each try, so that a mail that went out twice can be recognized. */
  id: string;
  template: string;
  from: string;
  to: string;
  date: Date;
  message_id: string;
  subject: string;
  text: string;
  html: string;
  link: string | undefined;
}

/** Hands a mail over; once it resolves, the mail is somebody else's. Rejects with why not. */
export type Transport = (mail: Outgoing, signal: AbortSignal) => Promise<void>;

/** A mail for nodemailer. The address is given as one, not as text to find addresses in; nothing is ever read from a file or an address. */
export const message = ({ from, to, subject, text, html, message_id, date }: Outgoing) => ({
  from,
  to: { name: '', address: to },
  subject,
  text,
  html,
  messageId: message_id,
  date,
  headers: { 'Auto-Submitted': 'auto-generated' },
  disableFileAccess: true,
  disableUrlAccess: true,
});
