import type { Log } from './log'
import type { Store } from './store'
import { openStore, type StoreOptions } from './versioned-store'

/** A store that forgets everything when the process ends. */
export function createMemoryStore(options: StoreOptions = {}): Store {
  const log: Log = {
    content: { records: [], compacted: 0, revision: 0 },
    commit: () => undefined,
    close: async () => undefined,
  }
  return openStore(log, options)
}
