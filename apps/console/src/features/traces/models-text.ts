import { shownText } from '@paddock/contract/terminal-text';

/** The names of the first models and the number of further ones; '–' without any. */
export function modelsText(models: readonly string[], maxNamed: number): string {
  if (models.length === 0) return '–';
  const named = models.slice(0, maxNamed).map((model) => shownText(model, 40));
  const more = models.length - named.length;
  return named.join(', ') + (more > 0 ? ` + ${more}` : '');
}
