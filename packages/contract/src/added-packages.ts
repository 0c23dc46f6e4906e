/** More than anybody adds by hand. A longer list belongs in a dependency file of the archive. */
export const maxAddedPackages = 50;
export const maxAddedCharacters = 2000;

/** A name on PyPI or npm, with extras and a version. Addresses, paths and options are not allowed. */
const form =
  /^(?:@[a-z0-9~-][\w.~-]{0,100}\/)?[A-Za-z0-9][\w.-]{0,213}(?:\[[\w.,-]{1,100}\])?(?:(?:===?|~=|!=|<=?|>=?|@)[\w.*+^~<>=!,-]{1,100})?$/;

/** Removes commas, since people also write lists as `a, b`. */
function withoutCommas(word: string): string {
  let [from, to] = [0, word.length];
  while (word[from] === ',') from += 1;
  while (to > from && word[to - 1] === ',') to -= 1;
  return word.slice(from, to);
}

/**
 * Packages that a user adds to an agent's dependencies, separated by blanks: `ddgs "openai>=1,<2"` without the quotes, `@ai-sdk/openai@2`.
 * `wrong` is a sentence about the first invalid package.
 */
export function readAddedPackages(text: string): { packages: string[]; wrong?: string } {
  const words = text.split(/\s+/).map(withoutCommas);
  const packages = [...new Set(words)].filter((word) => word !== '');
  if (packages.length > maxAddedPackages) return { packages: [], wrong: `names more than ${maxAddedPackages} packages` };
  const bad = packages.find((word) => !form.test(word));
  if (bad === undefined) return { packages };
  return {
    packages: [],
    wrong: `has “${bad.slice(0, 60)}”, which is no name of a package with or without a version, such as ddgs or openai>=1`,
  };
}
