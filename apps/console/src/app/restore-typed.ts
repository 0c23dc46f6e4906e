import { fieldName } from './field-name.ts';

const everyMs = 100;
/** By then the page and its dialog are there. A field that a person opens later keeps its own text. */
const withinMs = 8_000;

/** Fills the fields of these names as soon as they are on the page that they were typed on. Of several of one name none is filled. */
export async function restoreTyped(texts: ReadonlyMap<string, string>, isBack: () => boolean): Promise<void> {
  const left = new Map(texts);
  for (let waited = 0; waited < withinMs && left.size > 0; waited += everyMs) {
    const fields = isBack() ? [...document.querySelectorAll<HTMLInputElement>('input, textarea, select')] : [];
    for (const [name, text] of left) {
      const [field, another] = fields.filter((one) => fieldName(one) === name);
      if (!field || another || field.disabled) continue;
      left.delete(name);
      if (field.value !== text) write(field, text);
    }
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}

/** Writes as typing does: React overrides the property of the element itself. */
function write(field: HTMLInputElement, text: string): void {
  const property = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value');
  property?.set?.call(field, text);
  for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }));
}
