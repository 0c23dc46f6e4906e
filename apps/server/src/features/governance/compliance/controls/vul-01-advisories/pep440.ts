/** The order of versions of Python packages (PEP 440), as far as advisories need it. */

const pattern =
  /^v?(?:(\d{1,9})!)?(\d{1,15}(?:\.\d{1,15}){0,20})([-_.]?(?:alpha|beta|preview|pre|rc|a|b|c)[-_.]?\d{0,15})?((?:-\d{1,15})|[-_.]?(?:post|rev|r)[-_.]?\d{0,15})?([-_.]?dev[-_.]?\d{0,15})?(?:\+[a-z0-9]{1,40}(?:[-_.][a-z0-9]{1,40}){0,10})?$/;

interface Parsed {
  release: number[];
  /** Sorts pre-releases, the release itself and post-releases. */
  stage: number[];
}

/** Negative, zero or positive; undefined if one of them is no version. Local parts (`+…`) do not count. */
export function comparePython(a: string, b: string): number | undefined {
  const [x, y] = [parse(a), parse(b)];
  if (!x || !y) return undefined;
  return compareLists(x.release, y.release) || compareLists(x.stage, y.stage);
}

function parse(text: string): Parsed | undefined {
  const found = pattern.exec(text.trim().toLowerCase().slice(0, 200));
  if (!found) return undefined;
  const [, epoch = '0', release = '', pre, post, dev] = found;
  return {
    release: [Number(epoch), ...release.split('.').map(Number)],
    stage: [...preStage(pre, post, dev), after(post), dev === undefined ? Infinity : numberIn(dev)],
  };
}

/** `1.0.dev1` comes before `1.0a1`, that before `1.0rc1`, that before `1.0` and `1.0.post1`. */
function preStage(pre: string | undefined, post: string | undefined, dev: string | undefined): [number, number] {
  if (pre !== undefined) {
    const word = /[a-z]+/.exec(pre)?.[0] ?? '';
    const rank = { a: 1, alpha: 1, b: 2, beta: 2 }[word] ?? 3;
    return [rank, numberIn(pre)];
  }
  return post === undefined && dev !== undefined ? [0, 0] : [4, 0];
}

const after = (post: string | undefined) => (post === undefined ? -1 : numberIn(post));
const numberIn = (text: string) => Number(/\d+/.exec(text)?.[0] ?? 0);

function compareLists(a: number[], b: number[]): number {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const [x, y] = [a[i] ?? 0, b[i] ?? 0];
    if (x !== y) return x < y ? -1 : 1;
  }
  return 0;
}
