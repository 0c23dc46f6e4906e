/**
 * Reads the requested routes, one read at a time, so that an older result never overwrites a newer one. Requests that arrive meanwhile are
 * served by the next read.
 */
export function createRouteLoader(parts: {
  readAll: () => Promise<void>;
  readLabels: (labels: string[]) => Promise<void>;
  /** A read failed, and its routes are no longer requested. */
  onFailed: (err: unknown) => void;
}) {
  const wanted = new Set<string>();
  let wantsAll = false;
  let isStopped = false;
  let reading: Promise<void> | undefined;

  return { label, all, stop };

  /** Resolves when the route of the label was read, or the read failed. */
  function label(name: string): Promise<void> {
    wanted.add(name);
    return read();
  }

  function all(): Promise<void> {
    wantsAll = true;
    return read();
  }

  async function stop(): Promise<void> {
    isStopped = true;
    await reading;
  }

  function read(): Promise<void> {
    reading ??= readWanted().finally(() => {
      reading = undefined;
    });
    return reading;
  }

  async function readWanted(): Promise<void> {
    while (!isStopped && (wantsAll || wanted.size > 0)) {
      const labels = wantsAll ? undefined : [...wanted];
      wantsAll = false;
      wanted.clear();
      try {
        await (labels ? parts.readLabels(labels) : parts.readAll());
      } catch (err) {
        parts.onFailed(err);
        return;
      }
    }
  }
}
