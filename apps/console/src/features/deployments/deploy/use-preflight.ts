import { useEffect, useEffectEvent, useState } from 'react';
import { type Preflight, preflight } from './preflight.ts';

/** The preflight result of the chosen archive; null while it is read or if there is none. */
export function usePreflight(file: File | null): Preflight | null {
  const [read, setRead] = useState<{ file: File; result: Preflight }>();
  useEffect(() => {
    if (!file) return undefined;
    const stop = new AbortController();
    preflight(file, stop.signal).then(
      (result) => !stop.signal.aborted && setRead({ file, result }),
      (cause: unknown) => {
        if (stop.signal.aborted) return;
        // Reading fails if the file was moved or changed on disk after it was chosen.
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

/**
 * Acts on a press with the preflight result: at once, or as soon as it is available. `cancel` drops a waiting press after a change of the
 * form.
 */
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
