'use client'
/**
 * Whether the server was updated while this page is open. The page still works then, but code that it has not fetched is
 * gone from the server.
 */
import { useSyncExternalStore } from 'react'
import type { Stop } from '@/lib/std/clock'

/** What a page build needs of the browser. */
export interface PageBuildEnvironment {
  /** The build of this page; undefined if unknown. */
  own: string | undefined
  /** Kept over a reload. */
  readonly kept: Pick<Storage, 'getItem' | 'setItem'>
  reload: () => void
}

const STORAGE_KEY = 'evenkeel.reloaded-for'

export class PageBuild {
  readonly #env: PageBuildEnvironment
  readonly #listeners = new Set<() => void>()
  #served: string | undefined

  constructor(env: PageBuildEnvironment) {
    this.#env = env
  }

  /** Notes the build that the server has now. */
  note(served: string): void {
    if (served === this.#served) return
    this.#served = served
    for (const listener of this.#listeners) listener()
  }

  /** True while the server is known to have another build than this page. */
  readonly isOutdated = (): boolean => {
    const { own } = this.#env
    return own !== undefined && this.#served !== undefined && this.#served !== own
  }

  readonly onChange = (listener: () => void): Stop => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /**
   * Reloads an outdated page. Once for each build of the server: a cache between them that still has the earlier page
   * must not cause a loop.
   */
  replace(): void {
    if (!this.isOutdated()) return
    const { kept, reload } = this.#env
    if (kept.getItem(STORAGE_KEY) === this.#served) return
    kept.setItem(STORAGE_KEY, this.#served!)
    reload()
  }
}

const ofThisPage = new PageBuild({
  own: typeof document === 'undefined' ? undefined : document.documentElement.dataset['build'],
  get kept() {
    return sessionStorage
  },
  reload: () => window.location.reload(),
})

export const noteServedBuild = (build: string): void => ofThisPage.note(build)

/** Called where code could not be fetched: reloads the page if the reason is an update of the server. */
export const replaceOutdatedPage = (): void => ofThisPage.replace()

/** True while the server is known to have another build than this page. */
export const useIsOutdated = (): boolean =>
  useSyncExternalStore(ofThisPage.onChange, ofThisPage.isOutdated, ofThisPage.isOutdated)
