import type { Artifact } from '@paddock/builder';
import { installedPackage } from './installed-package.ts';
import { lastError } from './last-error.ts';

/** Bounds, because the agent writes the lines. */
const maxLines = 60;
const maxLineLength = 2000;

interface Break {
  /** In the error or a line above it. */
  says: RegExp;
  /** The package whose files the traceback shows. */
  within?: string;
  /** The package whose newer versions cause it. */
  name: string;
  below: string;
}

/**
 * Versions from which widely used packages no longer fit ones that are older, by their own release notes: the archive's date does not help
 * where its author pinned the older one before.
 */
const breaks: Break[] = [
  // httpx 0.28.0 removed the argument that clients of OpenAI, Anthropic and others gave it.
  { says: /__init__\(\) got an unexpected keyword argument 'proxies'/, name: 'httpx', below: 'httpx<0.28' },
  // Werkzeug 3.0.0 removed it; Flask 2 imports it.
  { says: /cannot import name 'url_quote' from 'werkzeug\.urls'/, name: 'werkzeug', below: 'werkzeug<3' },
  // NumPy 2.0 migration guide: programs compiled against 1.x, and removed names.
  {
    says: /numpy\.dtype size changed|compiled using NumPy 1\.x cannot be run in|was removed in the NumPy 2\.0 release/,
    name: 'numpy',
    below: 'numpy<2',
  },
  // huggingface_hub 0.26.0 removed it.
  { says: /cannot import name 'cached_download' from 'huggingface_hub'/, name: 'huggingface-hub', below: 'huggingface-hub<0.26' },
  // pydantic 2.0 migration guide.
  { says: /`BaseSettings` has been moved to the `pydantic-settings` package/, name: 'pydantic', below: 'pydantic<2' },
  // gradio_client before 1.8 does not read the schemas of pydantic 2.11 (gradio-app/gradio#10649).
  { says: /^TypeError: argument of type 'bool' is not iterable/, within: 'gradio_client', name: 'pydantic', below: 'pydantic<2.11' },
];

/** The constraint that such an error asks for; undefined for other errors. */
export function knownBreak(tail: string[], artifact: Pick<Artifact, 'mounts' | 'plan'>): string | undefined {
  if (lastError(tail) === undefined) return undefined;
  const lines = tail.slice(-maxLines).map((line) => line.slice(0, maxLineLength));
  const found = breaks.find(
    ({ says, within, name }) =>
      lines.some((line) => says.test(line)) &&
      (within === undefined || lines.some((line) => line.includes(`/site-packages/${within}/`))) &&
      installedPackage(name, artifact) !== undefined,
  );
  return found?.below;
}
