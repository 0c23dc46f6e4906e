import type { Log } from '../log.ts';
import type { ClaimedMail } from './store.ts';
import type { Attachment } from './transport.ts';

/** Creates the file of a document when the mail is sent; the queue holds only its id. Undefined: there is no such document. */
export type LoadDocument = (document_id: string) => Promise<Attachment | undefined>;

/** From this attempt on a mail is sent without its file, which is available in the console: the text matters more. */
const lastTryWithFile = 4;

/** Attachments of a mail: the invoice or credit note named by its `document_id`. Rejects if the file cannot be created now. */
export const createAttachments =
  ({ documentOf, log }: { documentOf: LoadDocument; log: Log }) =>
  async ({ id, attempts }: Pick<ClaimedMail, 'id' | 'attempts'>, data: object): Promise<Attachment[]> => {
    const { document_id } = data as { document_id?: string | null };
    if (!document_id) return [];
    try {
      const file = await documentOf(document_id);
      if (!file) log.error({ mail: id }, 'sending mail without its document: not found');
      return file ? [file] : [];
    } catch (error) {
      if (attempts < lastTryWithFile) throw error;
      log.error({ mail: id, err: error }, 'sending mail without its document: creating it failed');
      return [];
    }
  };
