import type { Log } from '../log.ts';
import type { ClaimedMail } from './store.ts';
import type { Attachment } from './transport.ts';

/** The file of a document, made when it is sent, so that the queue holds its id alone. Undefined: there is no such document. */
export type LoadDocument = (document_id: string) => Promise<Attachment | undefined>;

/** From this try on a mail goes without its file, which can be had in the console: what it says matters more. */
const lastTryWithFile = 4;

/** What goes with a mail: the invoice or credit note that its data name by `document_id`. Rejects where the file cannot be made now. */
export const createAttachments =
  ({ documentOf, log }: { documentOf: LoadDocument; log: Log }) =>
  async ({ id, attempts }: Pick<ClaimedMail, 'id' | 'attempts'>, data: object): Promise<Attachment[]> => {
    const { document_id } = data as { document_id?: string | null };
    if (!document_id) return [];
    try {
      const file = await documentOf(document_id);
      if (!file) log.error({ mail: id }, 'a mail goes without its document: there is none of this id');
      return file ? [file] : [];
    } catch (error) {
      if (attempts < lastTryWithFile) throw error;
      log.error({ mail: id, err: error }, 'a mail goes without its document: it could not be made');
      return [];
    }
  };
