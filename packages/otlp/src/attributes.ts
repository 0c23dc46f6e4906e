import { cleanText, withoutSecrets } from './clean-text.ts';
import { isContent, looksLikePayload } from './content.ts';
import { type AttributeValue, bounds, type Scalar } from './raw-span.ts';

/** A value as either form of OTLP gives it: texts are already cut, lists and maps are nested. */
export type AnyValue = Scalar | null | AnyValue[] | Map<string, AnyValue>;

/** Collects the attributes of a span or an event within bounds; what people and models said is left out and counted. */
export class AttributeSink {
  readonly values = new Map<string, AttributeValue>();
  dropped = 0;
  content = 0;
  readonly #most: number;
  readonly #isMessage: boolean;

  /** `isMessage`: every text is content. */
  constructor(most: number, isMessage = false) {
    this.#most = most;
    this.#isMessage = isMessage;
  }

  /** `read` is called only for what there is room for. */
  add(name: string, read: () => AnyValue): void {
    if (name === '' || name.length > bounds.attributeName) this.dropped += 1;
    else if (this.values.size >= this.#most && !this.values.has(name)) this.dropped += 1;
    else this.#take(name, read());
  }

  #take(name: string, value: AnyValue): void {
    if (value === null) return;
    // A number under such a name counts something; only texts and what is made of them tell what was said.
    const isNumber = typeof value === 'number' || typeof value === 'boolean';
    if (!isNumber && (this.#isMessage || isContent(name) || (typeof value === 'string' && looksLikePayload(value)))) {
      this.content += 1;
      return;
    }
    if (value instanceof Map) this.dropped += 1;
    else this.values.set(cleanText(name, bounds.attributeName), shown(name, value));
  }
}

function shown(name: string, value: Scalar | AnyValue[]): AttributeValue {
  if (Array.isArray(value)) return entriesOf(value);
  if (typeof value !== 'string') return value;
  const most = name === 'exception.stacktrace' ? bounds.stackTrace : bounds.text;
  return cleanText(isAddress(name) ? withoutSecrets(value) : value, most);
}

const isAddress = (name: string) => /(^|\.)(url|full|target|uri|path)$/i.test(name);

function entriesOf(list: AnyValue[]): Scalar[] {
  const scalars = list.filter((entry) => typeof entry === 'string' || typeof entry === 'number' || typeof entry === 'boolean');
  return scalars.slice(0, bounds.arrayEntries).map((entry) => (typeof entry === 'string' ? cleanText(entry, bounds.text) : entry));
}
