/**
 * `npm run screenshots`: photographs every page of the running product on fixed data into docs/pictures, and writes the
 * gallery. `-- --compare` compares instead with what is kept there, `-- --all` takes every scene in every language, theme
 * and size, `-- --capture` records the animation of the README, `--only=TEXT,…` takes the scenes with one of the texts in their names.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, type BrowserContext, chromium } from '@playwright/test'
import { ensureBuild } from '@/server/cli/build'
import { ensureBrowser, ensureKubectl } from '../test/programs'
import { type Camera, openCamera, type Scene, type Shot } from './camera'
import { capture } from './capture'
import { comparison } from './comparison'
import { writeGallery } from './gallery'
import { EVERY_LOOK, fileOf, type Look } from './looks'
import { differsFrom, type Maker, makerOf, readMaker, writeMaker } from './maker'
import { decode, encode } from './png'
import { SCENES, signedLooksOf } from './scenes'
import { readSignatures, signatureOf, writeSignatures } from './signatures'
import { openStage, type Stage } from './stage'
import { ACCESS, ACCESS_FLAGS, logInAsTenant, walkAccess } from './walks/access'
import { CONNECTIONS } from './walks/connection'
import { DEMONSTRATION, DEMONSTRATION_FLAGS, walkDemonstration } from './walks/demonstration'
import { EMPTY, EMPTY_FLAGS } from './walks/empty'
import { LARGE, LARGE_FLAGS, walkLarge } from './walks/large'
import { STATES } from './walks/states'

/** Files of pictures that are only compared. */
const SIGNED = new Set(SCENES.flatMap((scene) => signedLooksOf(scene).map((look) => fileOf(scene.name, look))))

const KEPT = 'docs/pictures'
const TEMPORARY = 'test-results/pictures'

const options = {
  all: { type: 'boolean', default: false },
  compare: { type: 'boolean', default: false },
  capture: { type: 'boolean', default: false },
  'other-browser': { type: 'boolean', default: false },
  only: { type: 'string', default: '' },
  folder: { type: 'string' },
} as const

export async function main(argv: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...argv], options })
  const executablePath = await ensureBrowser()
  await ensureKubectl()
  await ensureBuild()
  const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] })
  try {
    if (values.capture) return await capture(browser, values.folder ?? KEPT)
    const maker = await makerOf(browser)
    if (values.compare)
      return await compareAll(browser, { maker, only: values.only, otherwise: values['other-browser'] })
    return await takeAll(browser, { ...values, maker })
  } finally {
    await browser.close()
  }
}

interface Taking {
  all: boolean
  only: string
  folder?: string | undefined
  maker: Maker
}

async function takeAll(
  browser: Browser,
  { all, only, folder = all ? TEMPORARY : KEPT, maker }: Taking,
): Promise<number> {
  mkdirSync(folder, { recursive: true })
  let count = 0
  const signatures = new Map(all ? [] : [...readSignatures(folder)].filter(([file]) => SIGNED.has(file)))
  const keep = async (shot: Shot): Promise<void> => {
    count += 1
    console.log(shot.file)
    const picture = decode(shot.png)
    if (!all && SIGNED.has(shot.file)) signatures.set(shot.file, signatureOf(picture))
    else writeFileSync(join(folder, shot.file), encode(picture))
  }
  const looksOf = (scene: Scene): readonly Look[] => (all ? EVERY_LOOK : [...scene.looks, ...signedLooksOf(scene)])
  const missed = await walkAll(browser, { keep, only, looksOf })
  if (!all) {
    writeSignatures(folder, signatures)
    writeGallery(folder, SCENES)
    writeMaker(folder, maker)
  }
  console.log([`${missed.length} missed`, `${count} pictures in ${folder}`].join('\n'))
  return missed.length === 0 ? 0 : 1
}

interface Comparing {
  maker: Maker
  only: string
  /** Whether another browser than the one of the kept pictures counts as success. */
  otherwise: boolean
}

async function compareAll(browser: Browser, { maker, only, otherwise }: Comparing): Promise<number> {
  const difference = differsFrom(readMaker(KEPT), maker)
  if (difference !== undefined) {
    console.log(`${difference}\nThe kept pictures cannot be compared. Take them anew with: npm run screenshots`)
    return otherwise ? 0 : 2
  }
  const { keep, sign, findings } = comparison({ kept: KEPT, folder: TEMPORARY })
  const missed = await walkAll(browser, {
    keep: (shot) => (SIGNED.has(shot.file) ? sign(shot) : keep(shot)),
    only,
    looksOf: (scene) => (scene.varies === undefined ? [...scene.looks, ...signedLooksOf(scene)] : []),
  })
  console.log([`${missed.length} missed`, ...findings, `${findings.length} differ`].join('\n'))
  return missed.length + findings.length === 0 ? 0 : 1
}

interface Walking {
  keep: (shot: Shot) => Promise<void>
  only: string
  looksOf: (scene: Scene) => readonly Look[]
}

/** Returns what could not be taken. */
async function walkAll(browser: Browser, { keep, only, looksOf }: Walking): Promise<string[]> {
  const missed: string[] = []
  const miss = (reason: string): void => {
    missed.push(reason)
    console.log(`missed ${reason}`)
  }
  const cameraOn = (stage: Stage, logIn?: (context: BrowserContext) => Promise<void>): Camera =>
    openCamera({
      browser,
      stage,
      miss,
      again: (reason) => console.log(`second attempt at ${reason}`),
      keep,
      looksOf: (scene) => (isOneOf(only, scene) ? looksOf(scene) : []),
      ...(logIn && { logIn }),
    })
  const wants = (scenes: readonly Scene[]): boolean => scenes.some((scene) => isOneOf(only, scene))
  if (wants([...DEMONSTRATION, ...CONNECTIONS, ...STATES]))
    await onStage(DEMONSTRATION_FLAGS, async (stage) => {
      const camera = cameraOn(stage)
      await walkDemonstration(stage, camera)
      await camera.take(...CONNECTIONS, ...STATES)
    })
  if (wants(ACCESS))
    await onStage(ACCESS_FLAGS, (stage) =>
      walkAccess(stage, {
        visitors: cameraOn(stage),
        camera: cameraOn(stage, (context) => logInAsTenant(stage, context)),
      }),
    )
  if (wants(EMPTY)) await onStage(EMPTY_FLAGS, (stage) => cameraOn(stage).take(...EMPTY))
  if (wants(LARGE)) await onStage(LARGE_FLAGS, (stage) => walkLarge(stage, cameraOn(stage)))
  return missed
}

/** `only`: texts of which the name has one, separated by commas. */
const isOneOf = (only: string, { name }: Pick<Scene, 'name'>): boolean =>
  only.split(',').some((text) => name.includes(text))

async function onStage(flags: readonly string[], walk: (stage: Stage) => Promise<void>): Promise<void> {
  const stage = await openStage(flags)
  try {
    await walk(stage)
  } finally {
    await stage.close()
  }
}
