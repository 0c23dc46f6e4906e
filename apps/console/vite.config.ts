import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { callTable } from './call-table.ts';
import { chunks } from './chunks.ts';
import { compressFiles } from './compress.ts';

/** Tells the browser about the two fonts before it has read the style sheet. */
const preloadFonts: Plugin = {
  name: 'preload-fonts',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle }) =>
      Object.keys(bundle ?? {})
        .filter((file) => file.endsWith('.woff2'))
        .map((file) => ({
          tag: 'link',
          attrs: { rel: 'preload', href: `/${file}`, as: 'font', type: 'font/woff2', crossorigin: '' },
          injectTo: 'head-prepend',
        })),
  },
};

/** Each shape of an icon has a random key, for React alone. Its number does as well, and compresses: the random ones are a hundredth of all JavaScript. */
const numberIconKeys: Plugin = {
  name: 'number-icon-keys',
  apply: 'build',
  transform(code, id) {
    if (!/\/lucide-react\/dist\/esm\/icons\/[\w-]+\.mjs$/.test(id)) return undefined;
    let count = 0;
    return { code: code.replace(/\bkey: "[a-z0-9]+"/g, () => `key: "${count++}"`), map: null };
  },
};

const compressed: Plugin = {
  name: 'compress-files',
  apply: 'build',
  // The last hook: everything is written, what was copied too.
  closeBundle: () => compressFiles(fileURLToPath(new URL('dist', import.meta.url))),
};

const server = 'http://127.0.0.1:4000';

export default defineConfig({
  plugins: [react(), tailwindcss(), callTable, numberIconKeys, preloadFonts, compressed],
  build: {
    target: 'baseline-widely-available',
    // budget.mjs reads it.
    manifest: true,
    // An inlined asset would be a data: URL, which the policy allows for images only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // No module here has a getter that does something: what only reads a property, and is not used, is left out.
      treeshake: { propertyReadSideEffects: false },
      output: {
        // The name of a file stands in every import of it: words in front of the hash would be a fiftieth of all JavaScript. The manifest tells which is which.
        chunkFileNames: 'assets/[hash:7].js',
        codeSplitting: { groups: chunks },
      },
    },
  },
  server: { proxy: { '/api': server, '/ws': { target: server, ws: true } } },
});
