/** The product on a large control plane that changes all the time, with a failover in its journal. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withProduct } from '../product'
import { TOKEN, wideSpread } from '../stream/fleet'
import type { Mark as MarkOrder, PlaneShape } from '../stream/plane'
import { ask, withPrograms } from '../stream/programs'
import type { Mark } from './following'
import { writePastIncident } from './past-incident'

export interface Shape {
  workloads: number
  clusters: number
  changesPerSecond: number
  /** Duration for which the fleet is followed. */
  seconds: number
  incident: number
}

/** Input shared by the parts. */
export interface Ground {
  shape: Shape
  url: string
  incident: { cluster: string; since: string }
  mark: Mark
  profiles: string | undefined
}

/** Fills a control plane, starts the product on it with the journal of an incident, and lets the fleet change. */
export async function onGround<T>(
  shape: Shape,
  profiles: string | undefined,
  measure: (ground: Ground) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-bench-console-'))
  const [kubeconfig, journal] = [join(folder, 'kubeconfig'), join(folder, 'journal')]
  const { workloads: bindings, clusters } = shape
  try {
    const incident = await writePastIncident({
      directory: journal,
      workloads: shape.incident,
      spread: wideSpread(clusters),
    })
    return await withPrograms(['plane'], async (start) => {
      const { child, told } = await start<string>('plane', JSON.stringify({ bindings, clusters } satisfies PlaneShape))
      writeFileSync(kubeconfig, kubeconfigOf(told))
      const mark: Mark = (index, replicas) => ask<number>(child, { index, replicas } satisfies MarkOrder)
      return withProduct([`--kubeconfig=${kubeconfig}`, `--journal-dir=${journal}`], async ({ url }) => {
        await ask<number>(child, shape.changesPerSecond)
        return measure({ shape, url, incident, mark, profiles })
      })
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const kubeconfigOf = (server: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'bench', cluster: { server } }],
    users: [{ name: 'bench', user: { token: TOKEN } }],
    contexts: [{ name: 'bench', context: { cluster: 'bench', user: 'bench' } }],
    'current-context': 'bench',
  })
