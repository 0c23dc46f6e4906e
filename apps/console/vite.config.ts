import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { callTable } from './call-table.ts';
import { chunks } from './chunks.ts';
import { compressFiles } from './compress.ts';

/** Preloads the two fonts before the browser has read the style sheet. */
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

/** Replaces the random React key of each icon shape by its number, which compresses: the random keys are a hundredth of all JavaScript. */
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
  // The last hook: all files are written, including copied ones.
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
      // No module here has a getter with side effects, so unused property reads are removed.
      treeshake: { propertyReadSideEffects: false },
      output: {
        // A file's name occurs in every import of it: words before the hash would be a fiftieth of all JavaScript. The manifest maps names
        // to files.
        chunkFileNames: 'assets/[hash:7].js',
        codeSplitting: { groups: chunks },
      },
    },
  },
  server: { proxy: { '/api': server, '/ws': { target: server, ws: true } } },
});
