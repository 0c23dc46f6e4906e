import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { callTable } from './call-table.ts';
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

const compressed: Plugin = {
  name: 'compress-files',
  apply: 'build',
  // The last hook: everything is written, what was copied too.
  closeBundle: () => compressFiles(fileURLToPath(new URL('dist', import.meta.url))),
};

const server = 'http://127.0.0.1:4000';

export default defineConfig({
  plugins: [react(), tailwindcss(), callTable, preloadFonts, compressed],
  build: {
    target: 'baseline-widely-available',
    // budget.mjs reads it.
    manifest: true,
    // An inlined asset would be a data: URL, which the policy allows for images only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
            {
              name: 'tanstack',
              test: /node_modules\/@tanstack\/(react-router|router-core|history|store|react-store|react-query|query-core)\//,
            },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': server, '/ws': { target: server, ws: true } } },
});
