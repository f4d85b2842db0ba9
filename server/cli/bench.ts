/** `npm run bench -- NAME [flags]`: prints one JSON object with the figures and the shape of the work. */

type Bench = (argv: string[]) => Promise<object>

const benches: Record<string, () => Promise<Bench>> = {
  rebalance: async () => (await import('./bench/rebalance')).benchRebalance,
  propagate: async () => (await import('./bench/propagate')).benchPropagate,
  reschedule: async () => (await import('./bench/reschedule')).benchReschedule,
  apiserver: async () => (await import('./bench/apiserver')).benchApiServer,
  fairness: async () => (await import('./bench/fairness')).benchFairness,
  crash: async () => (await import('./bench/apiserver')).benchCrash,
  failover: async () => (await import('./bench/failover')).benchFailover,
  spread: async () => (await import('./bench/spread')).benchSpread,
  stream: async () => (await import('./bench/stream')).benchStream,
  memory: async () => (await import('./bench/stream/memory')).benchMemory,
  access: async () => (await import('./bench/access')).benchAccess,
  queue: async () => (await import('./bench/queue')).benchQueue,
  scheduler: async () => (await import('./bench/scheduler')).benchScheduler,
  'what-if': async () => (await import('./bench/what-if')).benchWhatIf,
  drift: async () => (await import('./bench/drift')).benchDrift,
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
