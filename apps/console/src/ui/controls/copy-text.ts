/** Copies the text to the clipboard; returns false if the browser refused. Without HTTPS it selects the text and runs the copy command. */
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
  // While a dialog is open, only elements within it can be focused.
  (before?.closest('[role="dialog"], [role="alertdialog"]') ?? document.body).append(area);
  area.select();
  const worked = document.execCommand('copy');
  area.remove();
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  return worked;
}
