/** A package that is installed in an artifact. */
export interface InstalledPackage {
  ecosystem: 'PyPI' | 'npm';
  name: string;
  version: string;
  license: string | null;
}

export interface InstalledPackages {
  packages: InstalledPackage[];
  /** Some packages are missing: there were too many, or their metadata could not be read. */
  is_partial: boolean;
}

/** A place that may contain packages of an artifact: a folder of the host, and its kind. */
export interface PackagePlace {
  root: string;
  kind: 'node_modules' | 'venv' | 'app';
}

const maxPackages = 10_000;
/**
 * Names and versions are written by strangers. Those that are invalid in their ecosystem are left out, and the result is marked as partial.
 */
const isName = /^(?:@[a-zA-Z0-9._~-]{1,100}\/)?[a-zA-Z0-9._~-]{1,200}$/;
const isVersion = /^[a-zA-Z0-9.+!_-]{1,100}$/;

/** Collects packages, each once. */
export function createPackageCollector() {
  const found = new Map<string, InstalledPackage>();
  let is_partial = false;
  return {
    isFull: () => found.size >= maxPackages,
    miss: () => {
      is_partial = true;
    },
    add(ecosystem: InstalledPackage['ecosystem'], name: unknown, { version, license }: { version: unknown; license: unknown }) {
      const isSound = typeof name === 'string' && typeof version === 'string' && isName.test(name) && isVersion.test(version);
      if (!isSound || found.size >= maxPackages) {
        is_partial = true;
        return;
      }
      found.set(`${ecosystem} ${name} ${version}`, { ecosystem, name, version, license: parseLicense(license) });
    },
    result(): InstalledPackages {
      const packages = [...found.values()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
      return { packages, is_partial };
    },
  };
}
export type PackageCollector = ReturnType<typeof createPackageCollector>;

const keyOf = ({ ecosystem, name, version }: InstalledPackage) => `${ecosystem} ${name} ${version}`;

/** A short text, or npm's older `{type}`. The text of a whole license is not a name. */
function parseLicense(given: unknown): string | null {
  const text = typeof given === 'object' && given !== null ? (given as { type?: unknown }).type : given;
  return typeof text === 'string' && text.length <= 100 && /^[\x20-\x7e]+$/.test(text) ? text.trim() || null : null;
}
