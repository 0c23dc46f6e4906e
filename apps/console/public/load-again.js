// A page without its style or its code is of no use to anybody. Browsers give up what they were about to ask for when a network link of
// the machine comes or goes, as it does with each agent that starts there, so the page is loaded again: three times a minute at most.
(() => {
  const most = 3;
  const key = 'paddock_reloads';
  const onError = ({ target }) => {
    const isStyle = target instanceof HTMLLinkElement && target.rel === 'stylesheet';
    if (!isStyle && !(target instanceof HTMLScriptElement)) return;
    try {
      const [count, since] = (sessionStorage.getItem(key) ?? '0 0').split(' ').map(Number);
      const isRecent = Date.now() - since < 60_000;
      if (isRecent && count >= most) return;
      sessionStorage.setItem(key, isRecent ? `${count + 1} ${since}` : `1 ${Date.now()}`);
    } catch (error) {
      // Without a place to count in, it might go on for ever.
      console.warn('A part of the page could not be loaded. Reload it.', error);
      return;
    }
    removeEventListener('error', onError, true);
    setTimeout(() => location.reload(), 500);
  };
  addEventListener('error', onError, true);
  // From then on there may be something typed that a reload would lose.
  addEventListener('load', () => removeEventListener('error', onError, true));
})();
