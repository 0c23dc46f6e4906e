/** No client or server declares more headers hop-by-hop than this; each header of a message is looked for among them. */
const namesMost = 64;

/**
 * Adds the lower-case names of one Connection header, which end at this hop. False when they are more than anybody needs: the message is not
 * passed on, since what it declares cannot be honoured.
 */
export function addConnectionNames(value: string, names: Set<string>): boolean {
  const parts = value.toLowerCase().split(',', namesMost + 1);
  if (parts.length + names.size > namesMost) return false;
  for (const part of parts) names.add(part.trim());
  return true;
}
