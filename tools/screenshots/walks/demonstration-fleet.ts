/** The fleet of the first start, created in an order that two runs share: the node of a pod depends on those before it. */
import { readFileSync } from 'node:fs'
import { parseAllDocuments } from 'yaml'
import type { Stage } from '../stage'
import { settle } from './waits'

const MANIFEST = new URL('../../../server/embedded/demo.yaml', import.meta.url)

/** For a product of which the fleet is created by `createDemonstration`. */
export const UNSEEDED = '--no-demo'

export async function createDemonstration({ kubectl }: Pick<Stage, 'kubectl'>): Promise<void> {
  const objects = parseAllDocuments(readFileSync(MANIFEST, 'utf8')).map((each) => each.toJS() as { kind: string })
  const create = (items: readonly object[]): Promise<string> =>
    kubectl.run(['create', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items }))
  const isCluster = ({ kind }: { kind: string }): boolean => kind === 'Cluster'
  await create(objects.filter(isCluster))
  await kubectl.run(['wait', 'clusters', '--all', '--for=condition=Ready=True', '--timeout=60s'])
  let waiting: object[] = []
  for (const object of objects.filter((each) => !isCluster(each))) {
    waiting.push(object)
    if (object.kind !== 'Deployment') continue
    await create(waiting)
    await settle(kubectl)
    waiting = []
  }
  if (waiting.length > 0) await create(waiting)
}
