import { useEffect, useEffectEvent, useState } from 'react';
import { type Preflight, preflight } from './preflight.ts';

/** What the chosen archive holds; null while it is read or when there is none. */
export function usePreflight(file: File | null): Preflight | null {
  const [read, setRead] = useState<{ file: File; result: Preflight }>();
  useEffect(() => {
    if (!file) return undefined;
    const stop = new AbortController();
    preflight(file, stop.signal).then(
      (result) => !stop.signal.aborted && setRead({ file, result }),
      (cause: unknown) => {
        if (stop.signal.aborted) return;
        // The file was moved or changed on disk after it was chosen.
        console.warn('The archive could not be read.', cause);
        setRead({
          file,
          result: {
            files: 0,
            unpackedBytes: 0,
            problems: ['The file can no longer be read. Choose it again.'],
            warnings: [],
            stack: null,
          },
        });
      },
    );
    return () => stop.abort();
  }, [file]);
  return read && read.file === file ? read.result : null;
}

/** Acts on a press with the preflight's result: at once, or as soon as the archive was looked at. `cancel` when the form has changed meanwhile. */
export function useOncePreflighted(result: Preflight | null, act: (result: Preflight) => void) {
  const [isPressed, setPressed] = useState(false);
  const onResult = useEffectEvent(() => {
    if (isPressed && result) act(result);
  });
  useEffect(() => {
    if (result) onResult();
  }, [result]);
  return {
    isWaiting: isPressed && !result,
    press: () => (result ? act(result) : setPressed(true)),
    cancel: () => setPressed(false),
  };
}
