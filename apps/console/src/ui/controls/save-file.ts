/** Hands a text, or the bytes of an archive, to the browser as a file to keep. */
export function saveFile(text: string | Uint8Array<ArrayBuffer>, { name, type }: { name: string; type: string }) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  Object.assign(document.createElement('a'), { href: address, download: name }).click();
  // Not at once: the browser reads it after this turn.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
