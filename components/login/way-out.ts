/** Leaving the page because of login. Whoever begins to leave first decides where to: what ends meanwhile is a consequence of it. */

export interface WayOut {
  /** Goes there, unless somebody leaves already. */
  leave(address: string): void
  /** Goes where the work says; stays when it fails, and rejects with that. */
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

/** As a page of its own: nothing of whoever was here stays in memory. */
export const wayOut = createWayOut((address) => window.location.assign(address))
