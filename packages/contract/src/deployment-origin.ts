import * as z from 'zod';

/** The commit that an archive was packed from. The sender names it; Paddock does not check it. A redeploy or rollback has that of its source. */
export const Origin = z.object({
  message: z.string().nullable().meta({ description: 'Of the sender, or the first line of the commit message' }),
  commit_sha: z.string().nullable().meta({ description: 'Git commit that the archive was packed from, as its sender named it' }),
  commit_branch: z.string().nullable(),
  commit_dirty: z.boolean().nullable().meta({ description: 'True if files had changed since the commit; null if the sender did not say' }),
});
export type Origin = z.infer<typeof Origin>;

/** A yes or no in a multipart form. */
export const formBoolean = z.enum(['true', 'false']).transform((text) => text === 'true');

/** The same in the form of an upload. */
export const originInput = {
  message: z.string().trim().max(500).optional().meta({ description: 'A text that is shown with the deployment' }),
  commit_sha: z
    .string()
    .regex(/^[0-9a-f]{7,64}$/, 'A commit is 7 to 64 hexadecimal digits in lower case.')
    .optional()
    .meta({ description: 'Git commit that the archive was packed from. An archive of `git archive` names its own' }),
  commit_branch: z.string().trim().max(255).optional(),
  commit_dirty: formBoolean.optional().meta({ description: 'Whether files had changed since the commit' }),
};
