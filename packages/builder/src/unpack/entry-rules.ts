import { BuildError, quoteName } from '../build-error.ts';

export interface ArchiveLimits {
  zipBytes: number;
  unpackedBytes: number;
  entries: number;
  fileBytes: number;
  ratio: number;
  ratioFromBytes: number;
  depth: number;
  nameBytes: number;
}

/** A checked entry of a ZIP's directory. */
export interface ZipEntry {
  /** Without a trailing slash. */
  name: string;
  directory: boolean;
  executable: boolean;
  /** A symbolic link: its data is the target. */
  link: boolean;
  method: 0 | 8;
  flags: number;
  crc: number;
  compressed: number;
  size: number;
  offset: number;
  /** Milliseconds since 1970, according to the archive. */
  modified: number;
  rawName: Buffer;
}

export function refuse(code: string, message: string, hint = ''): BuildError {
  return new BuildError('unpack', code, { message, hint });
}

// C0 and C1 controls, line and paragraph separators, and the characters that change the direction of the following text.
// oxlint-disable-next-line no-control-regex -- these are the characters to refuse
const unprintable = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufffe\uffff]/;

/** Refuses every name that could leave the folder, hide from a reader or be ambiguous. */
export function checkName(name: string, bytes: number, limits: ArchiveLimits): void {
  const q = quoteName(name);
  const bad = (why: string) =>
    refuse('archive_entry_name', `The archive's entry ${q} ${why}.`, 'Zip the project again from inside its folder.');
  const path = name.endsWith('/') ? name.slice(0, -1) : name;
  if (bytes > limits.nameBytes) throw bad(`has a name longer than ${limits.nameBytes} bytes`);
  if (path === '') throw bad('has no name');
  if (unprintable.test(name)) throw bad('has control characters in its name');
  if (name.includes('\\')) throw bad('has a backslash in its name');
  if (name.startsWith('/') || /^[A-Za-z]:/.test(name)) throw bad('has an absolute path');
  const segments = path.split('/');
  if (segments.includes('..')) throw bad('points outside the archive (“..”)');
  if (segments.includes('.') || segments.includes('')) throw bad('has an empty or “.” part in its path');
  if (segments.length > limits.depth) throw bad(`lies deeper than ${limits.depth} folders`);
  if (segments.some((s) => Buffer.byteLength(s) > 255)) throw bad('has a part longer than 255 bytes in its path');
}

const fileType = { mask: 0o170000, regular: 0o100000, directory: 0o040000, link: 0o120000 } as const;

/**
 * Refuses every entry that is not a file, folder or link by its mode or its extra fields. Returns whether it is executable, and whether it
 * is a link.
 */
export function checkType(name: string, attributes: number, extra: { id: number; data: Buffer }[]): Pick<ZipEntry, 'executable' | 'link'> {
  const mode = attributes >>> 16;
  const link = (mode & fileType.mask) === fileType.link && !name.endsWith('/');
  if (!link) refuseSpecial(name, mode, name.endsWith('/'));
  for (const { id, data } of extra) {
    // Info-ZIP's old Unix field has its own mode. PKWARE's has link targets and device numbers after 12 bytes.
    if (id === 0x756e && data.length >= 6) refuseSpecial(name, data.readUInt16LE(4), name.endsWith('/'));
    if (id === 0x000d && data.length > 12) throw specialEntry(name, 'a link or a device');
  }
  return { executable: !link && (mode & 0o111) !== 0, link };
}

function refuseSpecial(name: string, mode: number, directory: boolean): void {
  const type = mode & fileType.mask;
  if (type === 0 || type === (directory ? fileType.directory : fileType.regular)) return;
  if (type === fileType.link) throw specialEntry(name, 'a symbolic link');
  if (type === fileType.directory || directory) throw specialEntry(name, 'of two kinds at once');
  throw specialEntry(name, 'a device, pipe or socket');
}

/** The refusal of an entry that is neither a file nor a folder. */
export function specialEntry(name: string, what: string): BuildError {
  const hint = /(^|\/)(\.venv|venv|node_modules)\//.test(name)
    ? 'Leave installed packages (.venv, node_modules) out of the archive: Paddock installs them.'
    : 'Replace it by the file itself and zip again.';
  return refuse('archive_entry_type', `The archive's entry ${quoteName(name)} is ${what}; only files and folders are taken.`, hint);
}

/** Documents, which nothing runs or imports: `README.md` and `readme.md` may stand side by side, as they do in repositories of Linux users. */
const document = /\.(?:md|markdown|rst|adoc)$|(?:^|\/)(?:licen[cs]e|readme|changelog|contributing|notice|authors)(?:\.txt)?$/i;

/** Refuses names that some systems treat as equal: other case of the same letters, or another normal form of the same text. */
export function checkDuplicates(entries: ZipEntry[]): void {
  const fold = (s: string) => s.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
  const folders = new Set<string>();
  const files = new Map<string, string>();
  for (const { name, directory } of entries) {
    const key = fold(name);
    for (let at = key.indexOf('/'); at !== -1; at = key.indexOf('/', at + 1)) folders.add(key.slice(0, at));
    if (directory) folders.add(key);
    else {
      const twin = files.get(key);
      const isDocument = twin !== undefined && twin !== name && twin.toLowerCase() === name.toLowerCase() && document.test(name);
      if (twin !== undefined && !isDocument)
        throw refuse(
          'archive_duplicate',
          `The archive holds both ${quoteName(twin)} and ${quoteName(name)}; on some systems that is one file.`,
          'Keep one of them.',
        );
      files.set(key, name);
    }
  }
  for (const [key, name] of files) {
    if (folders.has(key))
      throw refuse('archive_duplicate', `The archive's entry ${quoteName(name)} is a file and a folder at once.`, 'Keep one of them.');
  }
}
