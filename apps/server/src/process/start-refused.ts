/** Why this process must not start, as a sentence for the person who started it. */
export class StartRefused extends Error {}
