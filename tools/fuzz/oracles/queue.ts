/**
 * No pod runs without admission: the pods of a namespace stay within the quota of its queue, and a hold admits no
 * further ones. Read from the members, not from the queue.
 */
import { request } from '../steps'
import type { Subject } from '../subject'
import type { Oracle } from '../target'

const MEMBERS = ['member1', 'member2']
const QUOTA = 1
/** Loops are given this long to act on what was written, and to take it back. */
const LOOKS = 12
const BETWEEN_MS = 250
/** Looks in a row that must all exceed the quota: pods end a moment after others began where one takes turns. */
const IN_A_ROW = 6

export const queue: Oracle = {
  name: 'queue',
  begin:
    async (subject, { name }) =>
    async () => {
      let inARow = 0
      let running = 0
      for (let look = 0; look < LOOKS && inARow < IN_A_ROW; look++) {
        running = await runningIn(subject, name)
        inARow = running > QUOTA ? inARow + 1 : 0
        await new Promise((resolve) => {
          setTimeout(resolve, BETWEEN_MS)
        })
      }
      const over = inARow > 0 ? [`${running} CPU run in ${name}, where the queue admits ${QUOTA}`] : []
      return [...over, ...(await freed(subject, name))]
    },
}

interface Binding {
  metadata: { name: string; annotations?: Record<string, string> }
  spec: { clusters?: unknown[]; suspension?: { scheduling?: boolean } }
}

async function runningIn(subject: Subject, namespace: string): Promise<number> {
  const counts = await Promise.all(
    MEMBERS.map(async (member) => {
      const path = `/apis/cluster.karmada.io/v1alpha1/clusters/${member}/proxy/api/v1/namespaces/${namespace}/pods`
      const { status, body } = await subject.send(request('GET', path))
      if (status !== 200) return 0
      const { items } = JSON.parse(body) as { items: { metadata: { deletionTimestamp?: string } }[] }
      return items.filter(({ metadata }) => metadata.deletionTimestamp === undefined).length
    }),
  )
  return counts.reduce((sum, count) => sum + count, 0)
}

/** A binding whose suspension is gone although no queue released it. */
async function freed(subject: Subject, namespace: string): Promise<string[]> {
  const path = `/apis/work.karmada.io/v1alpha2/namespaces/${namespace}/resourcebindings`
  const { status, body } = await subject.send(request('GET', path))
  if (status !== 200) return []
  const { items } = JSON.parse(body) as { items: Binding[] }
  return items
    .filter(
      ({ metadata: { name, annotations }, spec: { suspension } }) =>
        name !== 'w0-deployment'
        && suspension?.scheduling !== true
        && annotations?.['queue.evenkeel.io/released-at'] === undefined,
    )
    .map(({ metadata: { name } }) => `the binding ${name} is no longer suspended, and its queue did not release it`)
}
