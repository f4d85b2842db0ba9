/** A run of the comparison: sequences from a seed, a few at a time, differences by class, each made as small as it can be. */
import { seededRng } from '@/lib/std/rng'
import type { RecordedCase } from '@/tools/conformance/sessions/recorded-case'
import { seedOf } from '../seed'
import { classOf } from './differences'
import type { Draft, Family } from './family'
import { listedAs } from './listed'
import { type Difference, play, type Played, type Servers } from './play'

export interface RunOptions {
  servers: Servers
  families: readonly Family[]
  seed: number
  sequences: number
  /** Play these sequences only. */
  only?: readonly number[]
  /** Sequences that are played at the same time. */
  width: number
  /** Classes of which the first sequence is made smaller. */
  minimised: number
  say: (line: string) => void
}

export interface Class {
  class: string
  times: number
  families: string[]
  sequence: number
  request: unknown
  what: string
  /** Both texts in full, of an answer that is one. */
  texts?: Difference['texts']
  /** The smallest sequence that shows it, with the answers of the reference. */
  case: RecordedCase
}

export interface Report {
  seed: number
  sequences: number
  steps: number
  seconds: number
  /** Sequences in which at least one answer differs otherwise than listed. */
  differing: number
  /** How often each listed difference was seen. */
  listed: Record<string, number>
  /** Differences that were not there when the sequence was played again at once: the second in which it was written, or a race. */
  unsteady: { sequence: number; name: string }[]
  classes: Class[]
}

interface Found {
  times: number
  families: Set<string>
  sequence: number
  family: Family
  drafts: readonly Draft[]
  difference: Difference
  played: Played
}

export async function compareServers(options: RunOptions): Promise<Report> {
  const { seed, sequences, only, width, say } = options
  const began = performance.now()
  const run = `z${Math.floor(began).toString(36)}${process.pid.toString(36)}`
  const classes = new Map<string, Found>()
  const total = { sequences: 0, steps: 0, differing: 0 }
  const listed: Record<string, number> = {}
  const unsteady: Report['unsteady'] = []
  const indices = (only ?? Array(sequences).keys())[Symbol.iterator]()
  const worker = async (): Promise<void> => {
    for (const index of indices) {
      const { family, drafts } = sequenceOf(options.families, seed, index)
      const unique = `${run}${index.toString(36)}`
      const played = await play(options.servers, drafts, unique)
      total.sequences += 1
      total.steps += played.steps.length
      const unlisted = played.differences.filter((difference) => {
        const subject = listedAs(difference)
        if (subject !== undefined) listed[subject] = (listed[subject] ?? 0) + 1
        return subject === undefined
      })
      const steady = unlisted.length > 0 ? await classesAgain(options.servers, drafts, `${unique}r`) : new Set<string>()
      for (const name of new Set(unlisted.map(classOf))) if (!steady.has(name)) unsteady.push({ sequence: index, name })
      const lasting = unlisted.filter((difference) => steady.has(classOf(difference)))
      if (lasting.length > 0) total.differing += 1
      for (const difference of lasting) {
        const name = classOf(difference)
        const found = classes.get(name)
        if (found) {
          found.times += 1
          found.families.add(family.name)
        } else {
          classes.set(name, {
            times: 1,
            families: new Set([family.name]),
            sequence: index,
            family,
            drafts,
            difference,
            played,
          })
        }
      }
      if (total.sequences % 200 === 0) say(`${total.sequences} sequences, ${classes.size} classes of differences`)
    }
  }
  await Promise.all(Array.from({ length: width }, worker))
  const sorted = [...classes].toSorted(([, a], [, b]) => b.times - a.times)
  const reported: Class[] = []
  for (const [at, [name, found]] of sorted.entries()) {
    const { times, families, sequence, difference, family } = found
    const { what, texts, step } = difference
    const steps =
      at < options.minimised ? await smaller(options.servers, name, found, `${run}m${at}`) : found.played.steps
    reported.push({
      class: name,
      times,
      families: [...families],
      sequence,
      request: step.request,
      what,
      ...(texts && { texts }),
      case: { name: `${family.name}-${seed}-${sequence}`, topic: family.name, steps },
    })
  }
  return {
    seed,
    ...total,
    listed,
    unsteady,
    seconds: Math.round((performance.now() - began) / 1000),
    classes: reported,
  }
}

/** How often a sequence that differs is played again, and in how many of these plays a difference has to be seen again. */
const REPEATS = 3
const SEEN_AGAIN = 2

/** The classes of differences that come again. */
async function classesAgain(servers: Servers, drafts: readonly Draft[], unique: string): Promise<ReadonlySet<string>> {
  const times = new Map<string, number>()
  for (let again = 0; again < REPEATS; again++) {
    const { differences } = await play(servers, drafts, `${unique}${again}`)
    for (const name of new Set(differences.map(classOf))) times.set(name, (times.get(name) ?? 0) + 1)
  }
  return new Set([...times].filter(([, seen]) => seen >= SEEN_AGAIN).map(([name]) => name))
}

/** The n-th sequence of a seed, independent of earlier ones. */
function sequenceOf(families: readonly Family[], seed: number, index: number): { family: Family; drafts: Draft[] } {
  const rng = seededRng(seedOf(seed, 'differential', index))
  const sum = families.reduce((total, { weight }) => total + weight, 0)
  let at = rng.next() * sum
  const family = families.find(({ weight }) => (at -= weight) < 0) ?? (families[0] as Family)
  return { family, drafts: family.make(rng) }
}

/** Leaves out one step after the other as long as the difference stays. */
async function smaller(servers: Servers, name: string, found: Found, unique: string): Promise<Played['steps']> {
  let drafts = found.drafts
  let steps = found.played.steps
  let tries = 0
  for (let at = drafts.length - 1; at >= 0; at--) {
    const fewer = drafts.toSpliced(at, 1)
    const played = await play(servers, fewer, `${unique}${(tries++).toString(36)}`).catch(() => undefined)
    if (!played?.differences.some((difference) => classOf(difference) === name)) continue
    drafts = fewer
    steps = played.steps
  }
  return steps
}
