/** A product of its own whose wall clock does not advance by itself, so that two runs show the same. */
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Kubectl, kubectlFor } from '@/e2e/support/kubectl'
import { type Product, startProduct } from '@/e2e/support/product'

/** A Monday morning. Certificates of the product are valid for ten years from then. */
const BEGIN = Date.parse('2026-03-02T08:00:00Z')

/** Failures are noticed within seconds, so that a walk takes minutes instead of hours. */
const QUICK = [
  '--no-execute-after=1s',
  '--cluster-status-update-frequency=1s',
  '--cluster-success-threshold=2s',
  '--cluster-failure-threshold=2s',
]

export interface Stage {
  url: string
  product: Product
  kubectl: Kubectl
  /** The wall clock of the product. */
  now(): number
  /** Sets the product's wall clock; it only goes forward. Its timers are real, so the effects follow some moments later. */
  setTime(time: string): void
  close(): Promise<void>
}

/** The folder is shown on some pages, so it has the same name in every run. */
const HOME = join(tmpdir(), 'evenkeel-pictures')

export async function openStage(flags: readonly string[] = []): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-clock-'))
  const file = join(folder, 'now')
  let now = BEGIN
  const write = (): void => {
    writeFileSync(`${file}.next`, String(now))
    renameSync(`${file}.next`, file)
  }
  write()
  rmSync(HOME, { recursive: true, force: true })
  const clock = pathToFileURL(join(import.meta.dirname, 'server-clock.ts')).href
  const product = await startProduct({
    dataDir: HOME,
    flags: [...QUICK, ...flags],
    env: { NODE_OPTIONS: `--import ${clock} --disable-warning=ExperimentalWarning`, PICTURES_CLOCK: file },
  })
  return {
    url: product.url,
    product,
    kubectl: kubectlFor(product.kubeconfig),
    now: () => now,
    setTime: (time) => {
      now = Date.parse(`2026-03-02T${time}Z`)
      write()
    },
    close: async () => {
      await product.stop()
      rmSync(HOME, { recursive: true, force: true })
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
