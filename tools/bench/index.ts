/** `npm run bench -- NAME [flags]`: prints one JSON object with the figures and the shape of the work. */

type Bench = (argv: string[]) => Promise<object>

const benches: Record<string, () => Promise<Bench>> = {
  rebalance: async () => (await import('./rebalance')).benchRebalance,
  propagate: async () => (await import('./propagate')).benchPropagate,
  reschedule: async () => (await import('./reschedule')).benchReschedule,
  apiserver: async () => (await import('./apiserver')).benchApiServer,
  fairness: async () => (await import('./fairness')).benchFairness,
  crash: async () => (await import('./apiserver')).benchCrash,
  failover: async () => (await import('./failover')).benchFailover,
  spread: async () => (await import('./spread')).benchSpread,
  stream: async () => (await import('./stream')).benchStream,
  memory: async () => (await import('./stream/memory')).benchMemory,
  access: async () => (await import('./access')).benchAccess,
  queue: async () => (await import('./queue')).benchQueue,
  scheduler: async () => (await import('./scheduler')).benchScheduler,
  'what-if': async () => (await import('./what-if')).benchWhatIf,
  resilience: async () => (await import('./resilience')).benchResilience,
  'first-load': async () => (await import('./first-load')).benchFirstLoad,
  console: async () => (await import('./console')).benchConsole,
  rehearse: async () => (await import('./rehearse')).benchRehearse,
  drift: async () => (await import('./drift')).benchDrift,
  connected: async () => (await import('./connected')).benchConnected,
  soak: async () => (await import('./soak')).benchSoak,
  writes: async () => (await import('./writes')).benchWrites,
  twin: async () => (await import('./twin')).benchTwin,
}

/** Answers 2 when there is no bench of that name. */
export async function main([name = '', ...argv]: string[]): Promise<number> {
  const load = benches[name]
  if (!load) {
    console.error(`evenkeel: no bench "${name}"; there are: ${Object.keys(benches).join(', ')}`)
    return 2
  }
  console.log(JSON.stringify({ bench: name, ...(await (await load())(argv)) }, null, 2))
  return 0
}
