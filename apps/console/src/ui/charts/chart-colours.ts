import { useSyncExternalStore } from 'react';
import type { ChartTone } from './chart-shape.ts';

/** The colours of the theme in a form that a canvas accepts. With forced colours all are the same, and dashes distinguish the lines. */
export interface ChartColours {
  tones: Record<ChartTone, string>;
  isForced: boolean;
}

const tokens: Record<ChartTone, string> = {
  s1: 'var(--s1)',
  s2: 'var(--s2)',
  s3: 'var(--s3)',
  good: 'var(--success-dot)',
  warn: 'var(--warning-dot)',
  bad: 'var(--error-dot)',
};

const watchers = new Set<() => void>();
let colours: ChartColours | undefined;
let stopWatching: (() => void) | undefined;

/** The current colours; a new object when the theme, the system's scheme or its forced colours change. */
export const useChartColours = (): ChartColours => useSyncExternalStore(watchColours, () => (colours ??= readColours()));

function watchColours(changed: () => void): () => void {
  watchers.add(changed);
  stopWatching ??= watchPage();
  return () => {
    watchers.delete(changed);
    if (watchers.size > 0) return;
    stopWatching?.();
    stopWatching = undefined;
    // Without subscribers the cached colours may become stale.
    colours = undefined;
  };
}

function watchPage(): () => void {
  const renew = () => {
    colours = undefined;
    for (const tell of watchers) tell();
  };
  const theme = new MutationObserver(renew);
  theme.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  const queries = ['(prefers-color-scheme: dark)', '(forced-colors: active)'].map((query) => matchMedia(query));
  for (const query of queries) query.addEventListener('change', renew);
  return () => {
    theme.disconnect();
    for (const query of queries) query.removeEventListener('change', renew);
  };
}

/** A canvas supports neither CSS variables nor `light-dark()`, so the browser resolves them on temporary elements. */
function readColours(): ChartColours {
  const isForced = matchMedia('(forced-colors: active)').matches;
  const probe = document.createElement('div');
  const spans = Object.entries(tokens).map(([tone, token]) => {
    const span = document.createElement('span');
    span.style.color = isForced ? 'CanvasText' : token;
    probe.append(span);
    return [tone, span] as const;
  });
  document.body.append(probe);
  const tones = Object.fromEntries(spans.map(([tone, span]) => [tone, getComputedStyle(span).color]));
  probe.remove();
  return { tones: tones as ChartColours['tones'], isForced };
}
