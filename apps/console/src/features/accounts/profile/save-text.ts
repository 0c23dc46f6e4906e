/** Saves a small text as a file. Works on plain HTTP, and sends no request. */
export function saveText(name: string, text: string) {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }));
  const link = Object.assign(document.createElement('a'), { href: address, download: name });
  link.click();
  // Revoke later: the browser reads the URL after this turn of the event loop.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
