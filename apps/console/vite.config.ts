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

const isOneOf =
  (...patterns: RegExp[]) =>
  (path: string) =>
    patterns.some((pattern) => pattern.test(path));
const ui = (...names: string[]) => new RegExp(`/src/ui/(?:${names.join('|')})\\.tsx?$`);

const partsNamed = (parts: readonly [name: string, test: RegExp][]) =>
  parts.map(([name, test]) => ({ name, test, includeDependenciesRecursively: false }));

/**
 * Small modules that many pages share. As chunks of their own each would cost a request, and the entry a name in its table. What they import stays
 * where it is: much of it belongs to the first page. What the entry itself imports must not be named here.
 */
const sharedParts = [
  {
    name: 'fields',
    test: isOneOf(
      ui('controls/(?:control|Field|field-context|Input|Checkbox|TextLink)', 'feedback/(?:FormError|Banner)', 'layout/Ruler'),
      /\/src\/(?:navigation\/links|api\/(?:failure|use-action|intentions|fresh-key))\.tsx?$/,
    ),
    includeDependenciesRecursively: false,
  },
  {
    name: 'parts',
    test: isOneOf(
      ui(
        'controls/(?:Select|Textarea|SegmentedControl|Switch|FilterChip|TypedInput|RadioGroup)',
        'feedback/(?:EmptyState|StatusBadge|status|Meter)',
        'layout/(?:PageHeader|Card|Tabs|Table)',
        'text/(?:time|Timestamp|bytes|IdText|SteadyWord|CodeSample|indent-json)',
        'preferences/zone',
      ),
      /\/contract\/src\/(?:terminal-text|figures)\.ts$/,
      /\/icons\/(?:rocket|key-round|trash-2|folder-plus|folder-closed|eye|ellipsis|database|chart-line|arrow-down|plus|square|pen-line|trash|wrench|chevron-down)\.mjs$/,
    ),
    includeDependenciesRecursively: false,
  },
  // Small parts of one feature, most of them loaded on demand: alone each would cost a request, and compress badly.
  ...partsNamed([
    ['channel-dialogs', /\/src\/features\/channels\/(?:\w+Dialog|DeliveriesDrawer|DeliveryRow|ChannelForm|use-secret-call)\.tsx?$/],
    ['key-dialogs', /\/src\/features\/api-keys\/\w+Dialog\.tsx$/],
    ['two-factor', /\/src\/features\/accounts\/.*(?:TwoFactor\w+Dialog|RecoveryCodes\w*)\.tsx$/],
    ['database-dialogs', /\/src\/features\/databases\/.*(?:DatabaseDrawer|DatabaseDialogs|ConnectDialog)\.tsx$/],
    [
      'governance-parts',
      /\/src\/features\/governance\/(?:(?:compliance|policies|lineage|data|access-review)\/(?!queries)|JsonBlock|visible-json|GovernanceDialogs|trail\/(?:AuditDialog|AuditFacts|PiiFound|TraceWays|ExportDialog|export-formats|use-export|record-data))/,
    ],
    ['demo', /\/src\/(?:demo|features\/[\w-]+\/demo)\//],
    ['queries', /\/src\/features\/(?!accounts|oauth)[\w-]+\/queries\.ts$/],
    ['mailed-links', /\/src\/features\/accounts\/mailed-links\/[\w-]+\.tsx?$/],
    ['legal', /\/src\/features\/accounts\/legal\/[\w-]+\.tsx?$/],
    ['project-dialogs', /\/src\/features\/projects\/\w+Dialog\.tsx$/],
    ['overlays', ui('overlays/(?:Dialog|ConfirmDialog|Drawer|dialog-look|steady-popup)')],
  ]),
];

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
      output: {
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
            {
              name: 'tanstack',
              test: /node_modules\/@tanstack\/(react-router|router-core|history|store|react-store|react-query|query-core)\//,
            },
            ...sharedParts,
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': server, '/ws': { target: server, ws: true } } },
});
