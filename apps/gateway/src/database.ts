/** Runs a query with a timeout. A late query is cancelled, and rejects even if the database cannot be reached to cancel it. */
export async function within<T>(ms: number, query: PromiseLike<T> & { cancel: () => void }): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      query.cancel();
      reject(new Error(`the database did not answer within ${ms} ms`));
    }, ms);
  });
  try {
    return await Promise.race([query, late]);
  } finally {
    clearTimeout(timer);
  }
}
