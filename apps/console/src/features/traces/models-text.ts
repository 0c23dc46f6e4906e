import { shownText } from '@paddock/contract/terminal-text';

/** The first models by name, further ones as a number; '–' without any. */
export function modelsText(models: readonly string[], maxNamed: number): string {
  if (models.length === 0) return '–';
  const named = models.slice(0, maxNamed).map((model) => shownText(model, 40));
  const more = models.length - named.length;
  return named.join(', ') + (more > 0 ? ` + ${more}` : '');
}
