export type TextField = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** The name by which a person knows a field of text; undefined for other elements, and for passwords. */
export function fieldName(element: EventTarget | null): string | undefined {
  const { labels, type = '', ariaLabel } = element as Partial<TextField>;
  return /^(?:te|se|url|email|number)/.test(type) ? labels?.[0]?.textContent || ariaLabel || undefined : undefined;
}
