const endBytes = 22;
/** A commit in hexadecimal digits, of SHA-1 and of SHA-256. */
const commitLengths = [40, 64];

/** Bytes of an archive's end that `commitInComment` needs. */
export const commentBytes = endBytes + 64;

/** The commit that `git archive` writes as the comment of a ZIP, which those of GitHub and GitLab have as well. */
export function commitInComment(tail: Buffer): string | undefined {
  for (const length of commitLengths) {
    const end = tail.subarray(-endBytes - length);
    if (end.length < endBytes + length || end.readUInt32LE(0) !== 0x06054b50 || end.readUInt16LE(20) !== length) continue;
    const comment = end.toString('latin1', endBytes);
    if (/^[0-9a-f]+$/.test(comment)) return comment;
  }
  return undefined;
}
