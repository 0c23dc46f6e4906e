import * as z from 'zod';

export const Reason = z.object({ what: z.string(), value: z.string(), because: z.string() });
export const AskedVariable = z.object({
  name: z.string(),
  required: z.boolean().meta({ description: 'It is read without a default, or an example file leaves it empty' }),
  secret: z.boolean().meta({ description: 'Its name is that of a password or a key' }),
  at: z.string().meta({ description: 'Where the archive reads or names it, such as `main.py:12`, or the package that reads it' }),
  example: z.string().optional().meta({ description: 'Its default, or the value of an example file; never of a secret' }),
});
/** Another way to deploy an archive: pass its `root`, `start` and `packages` to a redeploy. */
export const Choice = z.object({
  start: z.string().optional().meta({ description: 'A start command' }),
  root: z.string().optional().meta({ description: 'A folder of the archive' }),
  packages: z.string().optional().meta({ description: 'Packages that its dependencies lack, parted by blanks' }),
  because: z.string().meta({ description: 'The file that says so, or what the folder holds' }),
});
export type Choice = z.infer<typeof Choice>;
/** The builder's decisions, and the file that caused each decision. */
export const Plan = z.object({
  language: z.string(),
  version: z.string().optional(),
  framework: z.string().optional(),
  type: z.enum(['web', 'worker', 'job']).nullable(),
  root: z.string(),
  install: z.object({ manager: z.string(), command: z.array(z.string()) }).nullable(),
  build: z.array(z.string()).nullable(),
  start: z.array(z.string()),
  health: z.string().optional(),
  asked_variables: z
    .array(AskedVariable)
    .optional()
    .meta({ description: 'Variables that the archive reads or names, required ones first; at most 60' }),
  choices: z.array(Choice).optional().meta({ description: 'Other ways to start it, likeliest first; at most 20' }),
  reasons: z.array(Reason),
  warnings: z.array(z.string()),
});
