/** Puts the text on the clipboard; false when the browser refused. Works without HTTPS by selecting and copying. */
export async function copyText(text: string): Promise<boolean> {
  if (window.isSecureContext && 'clipboard' in navigator) {
    const written = await navigator.clipboard.writeText(text).then(
      () => true,
      (error: unknown) => {
        console.warn('The clipboard refused; copying by selection.', error);
        return false;
      },
    );
    if (written) return true;
  }
  return copyBySelection(text);
}

function copyBySelection(text: string): boolean {
  const before = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  area.readOnly = true;
  area.style.setProperty('position', 'fixed');
  area.style.setProperty('opacity', '0');
  // Inside an open dialog only what lies within it can be focused.
  (before?.closest('[role="dialog"], [role="alertdialog"]') ?? document.body).append(area);
  area.select();
  const worked = document.execCommand('copy');
  area.remove();
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  return worked;
}
