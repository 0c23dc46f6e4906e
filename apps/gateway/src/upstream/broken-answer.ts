/** What the agent sent is not an answer that may be passed on. The message is for the log. */
export class BrokenAnswer extends Error {
  override name = 'BrokenAnswer';
}
