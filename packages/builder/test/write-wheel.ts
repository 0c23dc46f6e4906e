import { writeZip } from './write-zip.ts';

/** Properties of a wheel with one module, named as the package is. */
interface Wheel {
  name: string;
  version: string;
  /** `py3-none-any` if absent. */
  tag?: string;
  /** Requirements of the package. */
  needs?: string[];
  /** Source of the module. */
  source?: string;
}

/** Writes the smallest wheel that uv and pip install. */
export function writeWheel({ name, version, tag = 'py3-none-any', needs = [], source = '' }: Wheel): Buffer {
  const info = `${name}-${version}.dist-info`;
  const requirements = needs.map((one) => `Requires-Dist: ${one}\n`).join('');
  const files = {
    [`${name}.py`]: source,
    [`${info}/METADATA`]: `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\n${requirements}`,
    [`${info}/WHEEL`]: `Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: ${tag}\n`,
    [`${info}/RECORD`]: `${name}.py,,\n${info}/METADATA,,\n${info}/WHEEL,,\n${info}/RECORD,,\n`,
  };
  return writeZip(Object.entries(files).map(([path, data]) => ({ name: path, data })));
}
