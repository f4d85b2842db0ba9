/** Photographs scenes, each in its looks, when the page has stopped changing. */
import type { Browser, BrowserContext, Page } from '@playwright/test'
import { sayIn } from '@/e2e/support/say'
import { fileOf, type Look, nameOf, optionsOf } from './looks'
import type { Stage } from './stage'

export interface Scene {
  /** Beginning of the file's name. */
  name: string
  /** Caption in the gallery. */
  title: string
  path: string
  /** Resolves when the page shows what the scene is about; it may press what leads there. */
  ready: (page: Page) => Promise<unknown>
  /** Pictures of these are kept. */
  looks: readonly Look[]
  /** Why two runs show something else; such a scene is not compared. */
  varies?: string
  /** Changes how the page reaches the server, before it is opened. */
  before?: (page: Page) => Promise<unknown>
}

export interface Shot {
  file: string
  png: Buffer
}

export interface Camera {
  /** A scene that cannot be taken does not keep the others from being taken. */
  take(...scenes: readonly Scene[]): Promise<void>
}

interface CameraOptions {
  browser: Browser
  stage: Stage
  /** Of the looks of a scene, the ones to take. */
  looksOf: (scene: Scene) => readonly Look[]
  keep: (shot: Shot) => Promise<void>
  /** Is told which picture could not be taken, and why. */
  miss: (reason: string) => void
  /** Is told which picture needs a second attempt, in a new page, and why. */
  again: (reason: string) => void
  /** Cookies of the user whose view is photographed. */
  logIn?: (context: BrowserContext) => Promise<void>
}

const STILL_MS = 120
const STILL_WITHIN_MS = 60_000
const FETCHED_WITHIN_MS = 10_000
const TROUBLES_TOLD = 12
/** Busy machines are slow. */
const WITHIN_MS = 180_000
/** Random text is replaced: suffixes of pod names, digests of plans, ports, durations of computations. */
const LOTS: readonly (readonly [pattern: string, instead: string])[] = [
  ['-([0-9a-f]{8,10}-)?[bcdfghjklmnpqrstvwxz2456789]{5}(?![\\w-])', '-6f9c8d7b54-x7k2m'],
  ['[0-9a-f]{12}(?=…)', '3eb610d6b09c'],
  ['127\\.0\\.0\\.1:\\d+', '127.0.0.1:6443'],
  ['(?<=Computed [\\d:]+ in |用时 )[\\d.]+(?= s| 秒)', '0.1'],
]

export function openCamera({ browser, stage, looksOf, keep, miss, again, logIn }: CameraOptions): Camera {
  const pages = new Map<string, Page>()
  const troublesBy = new WeakMap<Page, string[]>()
  const openPage = async (look: Look): Promise<Page> => {
    const context = await browser.newContext(optionsOf(look))
    context.setDefaultTimeout(WITHIN_MS)
    await logIn?.(context)
    const page = await context.newPage()
    // A page with changes that are not saved asks whether it may be left.
    page.on('dialog', (dialog) => void dialog.accept())
    troublesBy.set(page, troublesOf(page))
    return page
  }
  /** One page for all scenes of a look, unless it reaches the server in another way. */
  const pageFor = async (scene: Scene, look: Look): Promise<Page> => {
    if (scene.before) return openPage(look)
    const page = pages.get(nameOf(look)) ?? (await openPage(look))
    pages.set(nameOf(look), page)
    return page
  }
  const takeOn = async (page: Page, scene: Scene, look: Look): Promise<void> => {
    sayIn(look.locale)
    await page.context().clock.setFixedTime(stage.now())
    await scene.before?.(page)
    await page.goto(`${stage.url}${scene.path}`, { waitUntil: 'commit' })
    await scene.ready(page)
    if (!scene.before) await fetched(page)
    await keep({ file: fileOf(scene.name, look), png: await shootStill(page) })
    if (scene.before) await page.context().close()
  }
  const takeOne = async (scene: Scene, look: Look): Promise<void> => {
    const page = await pageFor(scene, look)
    const troubles = troublesBy.get(page)!
    troubles.length = 0
    await takeOn(page, scene, look).catch(async (error: unknown) => {
      pages.delete(nameOf(look))
      await page.context().close()
      throw new Error([messageOf(error), ...troubles.slice(-TROUBLES_TOLD)].join('\n  '), { cause: error })
    })
  }
  return {
    take: async (...scenes) => {
      for (const scene of scenes)
        for (const look of looksOf(scene)) {
          const name = `${scene.name} (${nameOf(look)})`
          try {
            await takeOne(scene, look)
          } catch (first) {
            again(`${name}: ${messageOf(first)}`)
            await takeOne(scene, look).catch((second: unknown) => miss(`${name}: ${messageOf(second)}`))
          }
        }
    },
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** What may be the reason if a page never shows its scene: its sockets, failed requests and errors, as they come. */
function troublesOf(page: Page): string[] {
  const troubles: string[] = []
  page.on('websocket', (socket) => {
    troubles.push('socket opened')
    socket.on('close', () => troubles.push('socket closed'))
    socket.on('socketerror', (error) => troubles.push(`socket failed: ${error}`))
  })
  page.on('requestfailed', (request) => troubles.push(`${request.url()}: ${request.failure()?.errorText ?? ''}`))
  page.on('pageerror', (error) => troubles.push(error.message))
  return troubles
}

/** Waits for requests after the first data; a page that follows a log never becomes idle. */
const fetched = (page: Page): Promise<void> =>
  page.waitForLoadState('networkidle', { timeout: FETCHED_WITHIN_MS }).catch(() => undefined)

/** Two pictures in a row that are the same: nothing moves any more. */
async function shootStill(page: Page): Promise<Buffer> {
  await page.mouse.move(0, 0)
  const end = performance.now() + STILL_WITHIN_MS
  for (let last: Buffer | undefined; ;) {
    await page.evaluate(overwriteLots, LOTS)
    const png = await page.screenshot({ animations: 'disabled' })
    if (last?.equals(png)) return png
    if (performance.now() > end) throw new Error('the page does not stand still')
    last = png
    await page.waitForTimeout(STILL_MS)
  }
}

/** In the page. */
function overwriteLots(lots: typeof LOTS): void {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = node.nodeValue ?? ''
    const written = lots.reduce((so, [pattern, instead]) => so.replace(new RegExp(pattern, 'g'), instead), text)
    if (written !== text) node.nodeValue = written
  }
}
