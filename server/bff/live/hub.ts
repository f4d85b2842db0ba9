/** All topics by name: the three collections, and one topic for each workload whose page is open. */
import type { Clock, Stop } from '@/lib/std/clock'
import type { Entity } from '@/lib/view/live-client'
import { parseWorkloadId } from '@/lib/view/workload-id'
import type { Signal } from '../views/signal'
import { Topic } from './topic'

/** Where a collection comes from. */
export interface Source {
  /** Told every id that is there when listening begins, and every id that may have changed. */
  touched: Signal
  project: (id: string) => Entity | undefined
  /** Least time between two revisions, where the default is too slow for what is told. */
  paceMs?: number
}

/** Where the pages of workloads come from. */
export interface PageSource extends Source {
  /** Something changed on which every page depends. */
  allTouched: Signal
  open: () => void
  close: (id: string) => void
}

export interface HubOptions {
  clock: Clock
  /** Makes the epoch of a topic: another text each time. */
  newEpoch: () => string
  collections: Readonly<Record<string, Source>>
  pages: PageSource
  onError: (error: unknown, topic: string, id: string) => void
  paceMs?: number
  /** Pages kept for readers who come back. Default 50. */
  mostIdlePages?: number
}

const PAGE_PREFIX = 'workload/'

export class Hub {
  readonly #options: HubOptions
  readonly #collections = new Map<string, Topic>()
  /** In the order in which they were asked for. */
  readonly #pages = new Map<string, Topic>()
  readonly #stops: Stop[] = []

  constructor(options: HubOptions) {
    this.#options = options
    for (const [name, source] of Object.entries(options.collections)) {
      const topic = this.#newTopic(name, source)
      this.#collections.set(name, topic)
      this.#stops.push(source.touched.listen((id) => topic.touch(id)))
    }
    this.#stops.push(
      options.pages.touched.listen((id) => this.#pages.get(id)?.touch(id)),
      options.pages.allTouched.listen(() => this.#touchPages()),
    )
  }

  /** The topic of that name; undefined when the name means nothing. */
  topic(name: string): Topic | undefined {
    const collection = this.#collections.get(name)
    if (collection) return collection
    const id = name.startsWith(PAGE_PREFIX) ? name.slice(PAGE_PREFIX.length) : ''
    return parseWorkloadId(id) ? this.#page(id) : undefined
  }

  close(): void {
    for (const stop of this.#stops) stop()
    for (const topic of [...this.#collections.values(), ...this.#pages.values()]) topic.close()
  }

  #page(id: string): Topic {
    const { pages } = this.#options
    const topic = this.#pages.get(id) ?? this.#newTopic(PAGE_PREFIX + id, pages)
    this.#pages.delete(id)
    this.#pages.set(id, topic)
    pages.open()
    topic.touch(id)
    this.#forgetIdlePages()
    return topic
  }

  #forgetIdlePages(): void {
    const idle = [...this.#pages].filter(([, topic]) => !topic.isRead)
    for (const [id, topic] of idle.slice(0, Math.max(0, idle.length - (this.#options.mostIdlePages ?? 50)))) {
      topic.close()
      this.#pages.delete(id)
      this.#options.pages.close(id)
    }
  }

  #touchPages(): void {
    for (const [id, topic] of this.#pages) topic.touch(id)
  }

  #newTopic(name: string, { project, paceMs = this.#options.paceMs }: Source): Topic {
    const { clock, newEpoch, onError } = this.#options
    const onFailure = (error: unknown, id: string): void => onError(error, name, id)
    return new Topic({ name, epoch: newEpoch(), clock, project, paceMs, onError: onFailure })
  }
}
