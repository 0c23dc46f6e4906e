import * as z from 'zod';

export const id = (prefix: string) =>
  z
    .string()
    .min(1)
    .max(64)
    .meta({ description: `Id beginning with ${prefix}_` });

/** ISO 8601 in UTC with milliseconds. */
export const timestamp = z.iso.datetime();

/** A file that is no text. */
export const bytes = z.instanceof<typeof Uint8Array<ArrayBuffer>>(Uint8Array);

/** The query of every list. `limit` defaults to 50 and is at most 500; `cursor` is the `next_cursor` of the previous page. */
export const page = z.object({
  limit: z.coerce.number<number>().int().min(1).max(500).default(50),
  cursor: z.string().max(200).optional(),
});

export const nextCursor = z.string().nullable().meta({ description: 'Null at the end of the list' });

export const nothing = z.null();
