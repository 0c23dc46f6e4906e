import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApiError, errors } from '@paddock/contract';
import type { FastifyInstance } from 'fastify';
import { type File, fileOf, serveFile } from './files/send-file.ts';
import { escape, type Guide, guidePages, guideStyle } from './guide-pages.ts';

/** The guides of the repository that a running Paddock serves as pages, in the groups of the navigation (and of `docs/README.md`). */
const groups = {
  Start: [
    { path: '/docs/guides', title: 'Guides', file: 'docs/README.md' },
    { path: '/docs/first-deployment', title: 'First deployment', file: 'docs/first-deployment.md' },
    { path: '/docs/concepts', title: 'Concepts', file: 'docs/concepts.md' },
  ],
  Deploy: [
    { path: '/docs/manifest', title: 'Archives', file: 'docs/manifest.md' },
    { path: '/docs/databases', title: 'Databases', file: 'docs/databases.md' },
    { path: '/docs/cli', title: 'Command line', file: 'docs/cli.md' },
    { path: '/docs/github-actions', title: 'GitHub Actions', file: 'docs/github-actions.md' },
  ],
  Operate: [
    { path: '/docs/configuration', title: 'Configuration', file: 'docs/configuration.md' },
    { path: '/docs/operations', title: 'Operations', file: 'docs/operations.md' },
    { path: '/docs/sign-in', title: 'Sign-in', file: 'docs/sign-in.md' },
    { path: '/docs/security', title: 'Security', file: 'SECURITY.md' },
    { path: '/docs/troubleshooting', title: 'Troubleshooting', file: 'docs/troubleshooting.md' },
  ],
  Reference: [
    { path: '/docs', title: 'API reference' },
    { path: '/docs/api', title: 'API', file: 'docs/api.md' },
    { path: '/docs/scopes', title: 'Scopes', file: 'docs/scopes.md' },
    { path: '/docs/errors', title: 'Errors' },
    { path: '/docs/architecture', title: 'Architecture', file: 'ARCHITECTURE.md' },
    { path: '/docs/changes', title: 'Changes', file: 'CHANGELOG.md' },
  ],
} satisfies Record<string, Guide[]>;

const root = join(import.meta.dirname, '../../../..');
const toolFile = join(root, 'apps/cli/dist/paddock.mjs');
const errorsPath = '/docs/errors';

/** Guides for people, and the command line that one of the guides describes. */
export function serveGuides(app: FastifyInstance, publicUrl: string) {
  const pageOf = guidePages(groups, publicUrl);
  const serveGuide = (guide: Guide, text: string) => {
    const page = fileOf(pageOf(guide, text), { type: 'text/html; charset=utf-8', cache: 'no-cache' });
    serveFile(app, guide.path, () => page);
  };
  for (const guide of Object.values<Guide[]>(groups).flat()) {
    if (guide.file) serveGuide(guide, readFileSync(join(root, guide.file), 'utf8'));
    else if (guide.path === errorsPath) serveGuide(guide, errorsText());
  }
  const styles = fileOf(guideStyle, { type: 'text/css; charset=utf-8', cache: 'no-cache' });
  serveFile(app, '/docs/guide.css', () => styles);
  let tool: File | undefined;
  serveFile(app, '/docs/cli/paddock.mjs', () => {
    if (!tool && !existsSync(toolFile))
      throw new ApiError('unavailable', { detail: 'The tool is not built yet. Run "npm start", which builds it.' });
    const headers = { 'content-disposition': 'attachment; filename="paddock"' };
    return (tool ??= fileOf(readFileSync(toolFile), { type: 'text/javascript; charset=utf-8', cache: 'no-cache', headers }));
  });
}

/** Every error under its code, to which the `type` of a problem leads. */
const errorsText = () =>
  ['# Errors', ...Object.entries(errors).map(([code, { status, detail }]) => `### ${code}\n\nStatus ${status}: ${escape(detail)}`)].join(
    '\n\n',
  );
