// Patterns that the checker cannot tell from the source alone, or cannot decide. Each says why it is harmless all the same.

export type Exception = {
  path: string;
  /** As it stands in the file. */
  text: string;
  /** The shape of a pattern that is made at run time, which is judged in its place. */
  judgedAs?: string;
  reason: string;
};

export const EXCEPTIONS: Exception[] = [
  {
    path: 'apps/server/src/http/guides.ts',
    text: String.raw`/<h([23])>(.*?)<\/h\1>/g`,
    reason: "It reads the pages that Paddock's own guides make, once at the start.",
  },
];
