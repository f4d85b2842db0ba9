/**
 * `npm run bench -- console`: the console in a browser, with the real product and a constantly changing control plane
 * in another process. `limits` has the limits of the figures.
 */
import { parseArgs } from 'node:util'
import { sayIn } from '@/e2e/support/say'
import { COMMIT_MS } from '@/components/hooks/live-connection'
import { FLUSH_INTERVAL_MS } from '@/server/bff/live/flush-schedule'
import { countOf } from '../usage'
import { inBrowser, type Opened, whenLive } from './browser'
import { type Followed, measureFollowing } from './following'
import { type Ground, onGround, type Shape } from './ground'
import { FLEET_ACTS, measureInputs, OVERVIEW_ACTS } from './inputs'
import { measureLoad } from './loads'
import { measureReplay } from './replaying'
import { measureScrolling } from './scrolling'

/** Maximum duration of any part except following. */
const PART_SECONDS = 15
const ROUNDS = 3
/** The table: its rows have texts to wait for. */
const FLEET = '/fleet?view=table'
const ROW = '[data-testid=workload-row]'

const PARTS = {
  load: benchLoads,
  inputs: benchInputs,
  scrolling: (ground: Ground) =>
    onFleet(ground, 'scrolling', (opened) => measureScrolling(opened, partSeconds(ground))),
  following: (ground: Ground) => onFleet(ground, 'following', (opened) => measureFollowing(opened, followedOn(ground))),
  replay: benchReplay,
}
type Part = keyof typeof PARTS

const LIMITS = {
  javascriptKb: 200,
  usefulPaintMs: 1200,
  interactionMsP75: 100,
  scrollingFramesPerSecond: 55,
  scrollingGapMsP95: 32,
  heapGrowthPercentIn600s: 10,
  eventToPixelMsP99: 350,
  replayFramesPerSecond: 55,
}

/**
 * Flags: `--workloads N` (10000), `--clusters N` (100), `--rate R` changes a second (200), `--seconds S` (600) that the
 * fleet is followed, `--incident N` (1000) workloads of the replay, `--only PART,…`, `--profiles DIR` for CPU profiles.
 */
export async function benchConsole(argv: string[]): Promise<object> {
  const text = (value: string) => ({ type: 'string', default: value }) as const
  const { values } = parseArgs({
    args: argv,
    options: {
      workloads: text('10000'),
      clusters: text('100'),
      rate: text('200'),
      seconds: text('600'),
      incident: text('1000'),
      only: text(Object.keys(PARTS).join(',')),
      profiles: { type: 'string' },
    },
  })
  const shape: Shape = {
    workloads: countOf('workloads', values.workloads),
    clusters: Math.max(4, countOf('clusters', values.clusters)),
    changesPerSecond: countOf('rate', values.rate),
    seconds: countOf('seconds', values.seconds),
    incident: Math.min(countOf('incident', values.incident), countOf('workloads', values.workloads)),
  }
  sayIn('en')
  const parts = values.only.split(',').map(partOf)
  const figures = await onGround(shape, values.profiles, async (ground) => {
    const measured: Partial<Record<Part, object>> = {}
    for (const part of parts) {
      process.stderr.write(`console: ${part}\n`)
      measured[part] = await PARTS[part](ground)
      // A later part that fails must not take it along.
      process.stderr.write(`${JSON.stringify({ [part]: measured[part] })}\n`)
    }
    return measured
  })
  const paces = { serverFlushMs: FLUSH_INTERVAL_MS, pageCommitMs: COMMIT_MS }
  return { shape: { ...shape, store: 'memory, in another process', ...paces }, ...figures, limits: LIMITS }
}

function partOf(name: string): Part {
  if (!Object.hasOwn(PARTS, name)) throw new Error(`--only takes ${Object.keys(PARTS).join(', ')}, not "${name}"`)
  return name as Part
}

const followedOn = ({ shape: { seconds, workloads, changesPerSecond }, mark }: Ground): Followed => ({
  seconds,
  roundSeconds: workloads / changesPerSecond,
  mark,
})

const partSeconds = ({ shape }: Ground): number => Math.min(PART_SECONDS, shape.seconds)

/** The first load of a new browser; the middle one of several. */
async function benchLoads({ url, profiles }: Ground): Promise<object> {
  const pages = { fleet: [FLEET, ROW], overview: ['/overview', '[data-testid=cluster-tile]'] } as const
  const figures: Record<string, object> = {}
  for (const [name, [path, useful]] of Object.entries(pages)) {
    const loads = []
    for (let round = 0; round < ROUNDS; round += 1)
      loads.push(await measureLoad({ url: `${url}${path}`, useful, profiles, name: `load-${name}` }))
    figures[name] = loads.toSorted((a, b) => a.usefulPaintMs - b.usefulPaintMs)[Math.floor(ROUNDS / 2)]!
  }
  return figures
}

async function benchInputs(ground: Ground): Promise<object> {
  const fleet = await onFleet(ground, 'inputs-fleet', ({ page }) => measureInputs(page, FLEET_ACTS, ROUNDS))
  const overview = await inBrowser({ name: 'inputs-overview', profiles: ground.profiles }, async ({ page }) => {
    await page.goto(`${ground.url}/overview`)
    await page.locator('[data-testid=cluster-tile]').first().waitFor()
    await whenLive(page)
    return measureInputs(page, OVERVIEW_ACTS, ROUNDS)
  })
  return { fleet, overview }
}

function benchReplay(ground: Ground): Promise<object> {
  const { url, incident, profiles, shape } = ground
  const address = `${url}/failover/incident?${new URLSearchParams(incident).toString()}`
  const options = { workloads: shape.incident, seconds: partSeconds(ground) }
  return inBrowser({ name: 'replay', profiles }, (opened) => measureReplay(opened, address, options))
}

/** Long enough for requests and compilation after the first picture. */
const WARM_UP_MS = 5_000

function onFleet<T>({ url, profiles }: Ground, name: string, work: (opened: Opened) => Promise<T>): Promise<T> {
  return inBrowser({ name, profiles }, async (opened) => {
    await opened.page.goto(`${url}${FLEET}`)
    await opened.page.locator(ROW).first().waitFor()
    await whenLive(opened.page)
    await opened.page.waitForTimeout(WARM_UP_MS)
    return work(opened)
  })
}
