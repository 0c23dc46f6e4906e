/** A file attached to a mail. */
export interface Attachment {
  file_name: string;
  content_type: string;
  bytes: Buffer;
}

/** A mail as it is sent. */
export interface Outgoing {
  /** The same at each attempt, so that a mail that was sent twice can be recognized. */
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

/** Sends a mail. Resolves once the mail server has accepted the mail; otherwise rejects with the reason. */
export type Transport = (mail: Outgoing, signal: AbortSignal) => Promise<void>;

/** A mail for nodemailer. The address is given as an object, not as text to be parsed; nothing is read from files or URLs. */
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
