/** Timeout of each attempt on a busy machine. A list of attempts has no timeout of its own. */
export const attemptMs = 60_000;
/** Concurrency limit: a database takes only so many connections, and a busy machine only so many visits. */
const atOnce = 8;

/** Makes the attempts one by one, a few at the same time. The results are in the order of the attempts. */
export async function tryEach<Attempt, Got>(of: Attempt[], make: (attempt: Attempt) => Promise<Got>): Promise<Got[]> {
  const got: Got[] = [];
  const waiting = [...of.entries()];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) got[next[0]] = await make(next[1]);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return got;
}
