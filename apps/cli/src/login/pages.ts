import { createHash } from 'node:crypto';

const style = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}body{margin:18vh auto 0;max-width:26rem;padding:0 1rem}h1{font-size:1.4rem;margin:0 0 .5rem}`;
const styleHash = createHash('sha256').update(style).digest('base64');

/** The page may not load, run, frame or send anything; its single style is permitted by its hash. */
export const pagePolicy = `default-src 'none'; img-src data:; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** Both texts are the CLI's own. */
export const page = (title: string, text: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Paddock</title><link rel="icon" href="data:,"><style>${style}</style></head><body><main><h1>${title}</h1><p>${text}</p></main></body></html>\n`;
