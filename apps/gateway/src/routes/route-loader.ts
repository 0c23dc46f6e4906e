/**
 * Reads what is wanted of the routes, one read at a time, so that an older answer never overwrites a newer one. What is wanted meanwhile is
 * read by the next.
 */
export function createRouteLoader(parts: {
  readAll: () => Promise<void>;
  readLabels: (labels: string[]) => Promise<void>;
  /** A read failed, and what it was to read is not wanted any more. */
  onFailed: (err: unknown) => void;
}) {
  const wanted = new Set<string>();
  let wantsAll = false;
  let isStopped = false;
  let reading: Promise<void> | undefined;

  return { label, all, stop };

  /** Resolves when the route of the label is read, or could not be. */
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
