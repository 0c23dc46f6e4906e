/**
 * How long one attempt may take on a busy machine. No list of attempts has a bound of its own: it takes as long as its attempts do,
 * each of which has this one.
 */
export const attemptMs = 60_000;
/** A database takes only so many connections, and a busy machine only so many visits. */
const atOnce = 8;

/** Makes each attempt by itself, a few at a time; what each got comes in their order. */
export async function tryEach<Attempt, Got>(of: Attempt[], make: (attempt: Attempt) => Promise<Got>): Promise<Got[]> {
  const got: Got[] = [];
  const waiting = [...of.entries()];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) got[next[0]] = await make(next[1]);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return got;
}
