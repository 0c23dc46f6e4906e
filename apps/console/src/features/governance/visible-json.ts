/** Letters that nobody sees, or that turn the direction of what follows. JSON may name each of them by its number. */
const hidden = /[\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** A value as indented JSON in which nothing hides. It is still JSON of the same value. */
export const visibleJson = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(hidden, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
