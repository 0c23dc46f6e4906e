import { cleanText, withoutSecrets } from './clean-text.ts';
import { isContent, looksLikePayload, mayCarryCredentials } from './content.ts';
import { type AttributeValue, bounds, type Scalar } from './raw-span.ts';

/** A value in either form of OTLP. Texts are already cut; lists and maps are nested. */
export type AnyValue = Scalar | null | AnyValue[] | Map<string, AnyValue>;

interface Wanted {
  /** Maximum number of attributes. */
  most: number;
  /** Every text is content. */
  isMessage?: boolean;
  keepsContent?: boolean | undefined;
}

/**
 * Collects the attributes of a span or an event within bounds. Content of prompts and responses is kept separately, or dropped and counted.
 */
export class AttributeSink {
  readonly values = new Map<string, AttributeValue>();
  readonly content = new Map<string, AttributeValue>();
  dropped = 0;
  contentDropped = 0;
  readonly #most: number;
  readonly #isMessage: boolean;
  readonly #keepsContent: boolean;

  constructor({ most, isMessage = false, keepsContent = false }: Wanted) {
    this.#most = most;
    this.#isMessage = isMessage;
    this.#keepsContent = keepsContent;
  }

  /** `read` is only called if there is room for the attribute, with the maximum number of characters of a text. */
  add(name: string, read: (most: number) => AnyValue): void {
    if (name === '' || name.length > bounds.attributeName) this.dropped += 1;
    else if (this.values.size + this.content.size >= this.#most && !this.values.has(name)) this.dropped += 1;
    else this.#take(name, read(this.#keepsContent ? bounds.content : bounds.stackTrace));
  }

  #take(name: string, value: AnyValue): void {
    if (value === null) return;
    // A number under such a name is a count. Only texts and values built of texts are content.
    const isNumber = typeof value === 'number' || typeof value === 'boolean';
    if (!isNumber && (this.#isMessage || isContent(name) || (typeof value === 'string' && looksLikePayload(value)))) {
      this.#takeContent(name, value);
      return;
    }
    if (value instanceof Map) this.dropped += 1;
    else this.values.set(cleanText(name, bounds.attributeName), shown(name, value));
  }

  #takeContent(name: string, value: Exclude<AnyValue, null>): void {
    const said = this.#keepsContent && !mayCarryCredentials(name) ? toContent(value) : undefined;
    if (said === undefined) this.contentDropped += 1;
    else this.content.set(cleanText(name, bounds.attributeName), said);
  }
}

/** Lists of texts are kept as lists; nested values become JSON. Undefined for vectors. */
function toContent(value: Exclude<AnyValue, null>): AttributeValue | undefined {
  if (!Array.isArray(value)) return cleanText(value instanceof Map ? JSON.stringify(plain(value)) : String(value), bounds.content);
  if (value.every((entry) => typeof entry === 'number')) return undefined;
  if (value.some((entry) => entry instanceof Map || Array.isArray(entry))) return cleanText(JSON.stringify(plain(value)), bounds.content);
  return pickScalars(value, bounds.content);
}

function plain(value: AnyValue): unknown {
  if (Array.isArray(value)) return value.map(plain);
  return value instanceof Map ? Object.fromEntries([...value].map(([key, one]) => [key, plain(one)])) : value;
}

function shown(name: string, value: Scalar | AnyValue[]): AttributeValue {
  if (Array.isArray(value)) return pickScalars(value, bounds.text);
  if (typeof value !== 'string') return value;
  const most = name === 'exception.stacktrace' ? bounds.stackTrace : bounds.text;
  return cleanText(isAddress(name) ? withoutSecrets(value) : value, most);
}

const isAddress = (name: string) => /(^|\.)(url|full|target|uri|path)$/i.test(name);

function pickScalars(list: AnyValue[], most: number): Scalar[] {
  const scalars = list.filter((entry) => typeof entry === 'string' || typeof entry === 'number' || typeof entry === 'boolean');
  return scalars.slice(0, bounds.arrayEntries).map((entry) => (typeof entry === 'string' ? cleanText(entry, most) : entry));
}
