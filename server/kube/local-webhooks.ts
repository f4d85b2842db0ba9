/**
 * Admission webhooks called in this process instead of over the network. Needed for control planes with simulated time,
 * where the answer of a socket would arrive at an undefined time.
 */

/** Answers an AdmissionReview sent to a path. */
type Answer = (path: string, review: unknown) => Promise<object>

export class LocalWebhooks {
  readonly #servers = new Map<string, Answer>()
  #count = 0

  /** Serves `answer` under a unique address until it is closed. */
  serve(answer: Answer): { url: string; close(): void } {
    const host = `webhook-${++this.#count}.local`
    this.#servers.set(host, answer)
    return { url: `https://${host}`, close: () => void this.#servers.delete(host) }
  }

  /**
   * Returns the handler of an address; undefined if it is not served in this process. Both sides get copies, as over a
   * network.
   */
  readonly find = (url: string): ((review: object) => Promise<unknown>) | undefined => {
    const { host = '', pathname = '' } = URL.parse(url) ?? {}
    const answer = this.#servers.get(host)
    return answer && (async (review) => structuredClone(await answer(pathname, structuredClone(review))))
  }
}
