/** More than anybody adds by hand; beyond it a list of dependencies in the archive is the place. */
export const maxAddedPackages = 50;
export const maxAddedCharacters = 2000;

/** A name of PyPI or npm, with extras and a version. No address, no path and no option. */
const form =
  /^(?:@[a-z0-9~-][\w.~-]{0,100}\/)?[A-Za-z0-9][\w.-]{0,213}(?:\[[\w.,-]{1,100}\])?(?:(?:===?|~=|!=|<=?|>=?|@)[\w.*+^~<>=!,-]{1,100})?$/;

/** `a, b` is how people write a list as well. */
function withoutCommas(word: string): string {
  let [from, to] = [0, word.length];
  while (word[from] === ',') from += 1;
  while (to > from && word[to - 1] === ',') to -= 1;
  return word.slice(from, to);
}

/**
 * Packages that a person adds to an agent's dependencies, parted by blanks: `ddgs "openai>=1,<2"` without the quotes, `@ai-sdk/openai@2`.
 * The sentence says what is wrong with the first that cannot be one.
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
