/** An attached file. */
export interface Attachment {
  file_name: string;
  content_type: string;
  bytes: Buffer;
}

/** A composed mail. */
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

/** Delivers a mail. Resolves once the other side has accepted it; rejects with the reason otherwise. */
export type Transport = (mail: Outgoing, signal: AbortSignal) => Promise<void>;

/** A mail for nodemailer. The address is an object, so that it is not parsed; nothing is read from files or URLs. */
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
