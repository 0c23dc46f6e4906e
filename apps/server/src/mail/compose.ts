import { layOut, type MailText } from './layout.ts';
import type { Mails } from './mails.ts';
import type { AnyMail } from './queue.ts';
import { accountTexts } from './texts/account-texts.ts';
import { billingTexts } from './texts/billing-texts.ts';
import type { Texts } from './texts/part.ts';
import { securityTexts } from './texts/security-texts.ts';

export interface Composed {
  subject: string;
  text: string;
  html: string;
  /** The address of the first button. */
  link: string | undefined;
}

const texts: Texts<keyof Mails> = { ...accountTexts, ...securityTexts, ...billingTexts };

export function compose({ template, data }: AnyMail, publicUrl: string): Composed {
  const write = texts[template] as ((data: unknown, publicUrl: string) => MailText) | undefined;
  if (!write) throw new Error(`This server is older than the mail '${template}'; a newer one sends it.`);
  const text = write(onOneLine(data), publicUrl);
  const link = text.parts.find((part) => typeof part === 'object' && 'href' in part);
  return { subject: text.subject, ...layOut(text, publicUrl), link: link && 'href' in link ? link.href : undefined };
}

const maxValueLength = 500;

/** Reduces text that people typed to one line of visible text: it can neither add a header nor change the direction of nearby text. */
function onOneLine(data: object): object {
  const clean = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ').slice(0, maxValueLength);
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, typeof value === 'string' ? clean(value) : value]));
}
