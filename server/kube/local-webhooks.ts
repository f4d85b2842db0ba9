/**
 * Admission webhooks that are asked in this process instead of over the network, for control planes whose time is
 * simulated: an answer over a socket comes at no defined moment.
 */

/** The answer to an AdmissionReview that came to a path. */
type Answer = (path: string, review: unknown) => Promise<object>

export class LocalWebhooks {
  readonly #servers = new Map<string, Answer>()
  #count = 0

  /** Answers under an address of its own until it is closed. */
  serve(answer: Answer): { url: string; close(): void } {
    const host = `webhook-${++this.#count}.local`
    this.#servers.set(host, answer)
    return { url: `https://${host}`, close: () => void this.#servers.delete(host) }
  }

  /** Who answers at an address; undefined for one that is not in this process. Both sides get copies, as over a network. */
  readonly find = (url: string): ((review: object) => Promise<unknown>) | undefined => {
    const { host = '', pathname = '' } = URL.parse(url) ?? {}
    const answer = this.#servers.get(host)
    return answer && (async (review) => structuredClone(await answer(pathname, structuredClone(review))))
  }
}
