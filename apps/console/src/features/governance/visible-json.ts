/** Characters that are invisible or change the text direction. JSON can escape each of them. */
const hidden = /[\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** A value as indented JSON without invisible characters. It is still JSON of the same value. */
export const visibleJson = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(hidden, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
