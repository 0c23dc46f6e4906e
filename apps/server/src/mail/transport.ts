/** A file that goes with a mail. */
export interface Attachment {
  file_name: string;
  content_type: string;
  bytes: Buffer;
}

/** A mail as it is sent. */
export interface Outgoing {
  /** The same at each try, so that a mail that was sent twice can be recognized. */
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
  attachments?: Attachment[];
}

/** Hands a mail over. Resolves once the other side has accepted the mail; rejects with the reason otherwise. */
export type Transport = (mail: Outgoing, signal: AbortSignal) => Promise<void>;

/** A mail for nodemailer. The address is given as an object, not as text to find addresses in; nothing is read from files or addresses. */
export const message = ({ from, to, subject, text, html, message_id, date, attachments = [] }: Outgoing) => ({
  from,
  to: { name: '', address: to },
  subject,
  text,
  html,
  messageId: message_id,
  date,
  attachments: attachments.map(({ file_name, content_type, bytes }) => ({
    filename: file_name,
    contentType: content_type,
    content: bytes,
  })),
  headers: { 'Auto-Submitted': 'auto-generated' },
  disableFileAccess: true,
  disableUrlAccess: true,
});
