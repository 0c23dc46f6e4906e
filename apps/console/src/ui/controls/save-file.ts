/** Saves a text, or the bytes of an archive, as a file. */
export function saveFile(text: string | Uint8Array<ArrayBuffer>, { name, type }: { name: string; type: string }) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  Object.assign(document.createElement('a'), { href: address, download: name }).click();
  // Revoke later: the browser reads the URL after this turn of the event loop.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
