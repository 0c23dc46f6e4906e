// Runs before the first paint, so that a chosen theme never flashes. Without a choice the system decides (color-scheme in tokens.css).
(() => {
  let choice = null;
  try {
    choice = localStorage.getItem('paddock_theme');
  } catch (error) {
    console.warn('The theme choice could not be read; following the system.', error);
  }
  if (choice === 'light' || choice === 'dark') document.documentElement.dataset.theme = choice;
})();
