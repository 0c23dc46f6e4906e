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
  {
    path: 'packages/builder/src/detect/asked-variables.ts',
    text: String.raw`/process\.env(?:\.|\[['"])([A-Z][A-Z0-9_]{1,63})\b(?:['"]\])?(?!\s{0,20}(?:\|\||\?|[=&]))|os\.(?:getenv\(|environ\.get\(|environ\[)\s{0,20}['"]([A-Z][A-Z0-9_]{1,63})['"]\s{0,20}[)\]]/g`,
    judgedAs: String.raw`process\.env(?:\.|\[['"])([A-Z][A-Z0-9_]{1,63})\b(?:['"]\])?(?:\s{0,20}(?:\|\||\?|[=&]))?|os\.(?:getenv\(|environ\.get\(|environ\[)\s{0,20}['"]([A-Z][A-Z0-9_]{1,63})['"]\s{0,20}[)\]]`,
    reason: 'What follows is only looked at; taking it instead is no faster, and can be judged.',
  },
  {
    path: 'packages/builder/src/node/start.ts',
    text: String.raw`/^\s*(vite|react-scripts start|ng serve|vue-cli-service serve)\b(?!\s+preview)/`,
    judgedAs: String.raw`^\s*(vite|react-scripts start|ng serve|vue-cli-service serve)\b(?:\s+preview)?`,
    reason: 'What follows is only looked at; taking it instead is no faster, and can be judged.',
  },
];
