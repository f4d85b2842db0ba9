/** Leaving the page because of login. The first caller decides where to; later calls are consequences of the first. */

export interface WayOut {
  /** Goes there, unless the page is being left already. */
  leave(address: string): void
  /** Navigates to the URL that the work returns; stays on the page when it fails, and rejects with its error. */
  leaveAfter(work: () => Promise<string>): Promise<void>
}

export function createWayOut(go: (address: string) => void): WayOut {
  let isLeaving = false
  return {
    leave: (address) => {
      if (isLeaving) return
      isLeaving = true
      go(address)
    },
    leaveAfter: async (work) => {
      isLeaving = true
      try {
        go(await work())
      } catch (error) {
        isLeaving = false
        throw error
      }
    },
  }
}

/** Loads a new document, so that nothing of the previous user stays in memory. */
export const wayOut = createWayOut((address) => window.location.assign(address))
