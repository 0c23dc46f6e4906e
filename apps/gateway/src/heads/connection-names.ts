/** Real clients and servers declare fewer hop-by-hop headers than this; each header of a message is looked up among them. */
const maxNames = 64;

/** The options in the Connection headers of a message. */
export class ConnectionOptions {
  hasClose = false;
  hasKeepAlive = false;
  /** Lower-case names other than these two; most messages have none. */
  names: Set<string> | undefined;

  clear(): void {
    this.hasClose = false;
    this.hasKeepAlive = false;
    this.names = undefined;
  }

  /**
   * Adds the options of one Connection header. False when it names too many: the message is not forwarded, since its
   * declarations cannot be honoured.
   */
  add(value: string): boolean {
    const text = value.toLowerCase();
    if (text === 'keep-alive') this.hasKeepAlive = true;
    else if (text === 'close') this.hasClose = true;
    else return this.#addNames(text);
    return true;
  }

  has(name: string): boolean {
    return this.names?.has(name) ?? false;
  }

  #addNames(text: string): boolean {
    this.names ??= new Set();
    if (!addConnectionNames(text, this.names)) return false;
    this.hasClose ||= this.names.has('close');
    this.hasKeepAlive ||= this.names.has('keep-alive');
    return true;
  }
}

/** Adds the names of one Connection header; false when they are too many. */
export function addConnectionNames(value: string, names: Set<string>): boolean {
  const parts = value.toLowerCase().split(',', maxNames + 1);
  if (parts.length + names.size > maxNames) return false;
  for (const part of parts) names.add(part.trim());
  return true;
}

/** The lines (each with its CRLF) without those that Connection names, which end at this hop. */
export function withoutNamed(lines: string, names: Set<string>): string {
  let kept = '';
  for (let at = 0; at < lines.length; ) {
    const end = lines.indexOf('\r\n', at) + 2;
    if (!names.has(lines.slice(at, lines.indexOf(':', at)).toLowerCase())) kept += lines.slice(at, end);
    at = end;
  }
  return kept;
}
