/** Folders in which conda's builders make packages: `pip freeze` in a conda environment writes them as addresses. */
const builders = /\/(?:feedstock_root|croot|conda-bld|bld|recipes|ci(?:_\w{1,20})?|abs_\w{1,20}|80754af9|concourse)\//;
const atPath = /^([A-Za-z0-9][\w.-]{0,100}(?:\[[\w,. -]{1,100}\])?) {0,3}@ {0,3}file:\/\/\/(\S{1,400})/;

/**
 * The name of a package that a requirement line takes from a folder of conda's builders, which is on no other machine. Undefined for others: a
 * name of another folder may be somebody else's package in a registry.
 */
export function nameOfCondaBuild(line: string): string | undefined {
  const [, name, path = ''] = atPath.exec(line) ?? [];
  return name !== undefined && builders.test(`/${path}`) ? name : undefined;
}
