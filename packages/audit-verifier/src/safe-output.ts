/** All controls except line ends, and letters that reverse the direction of the text around them: a terminal would execute them. */
// oxlint-disable-next-line no-control-regex -- control characters are what this is about
const acting = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

export const safeText = (text: string) => text.replace(acting, '');

/** In JSON such letters occur only in strings, where an escape has the same meaning. */
export const safeJson = (json: string) => json.replace(acting, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
