/** Runs simulated members: every Cluster with the annotation `sim.evenkeel.io/nodes`. See README.md. */
import { cluster as clusterKind } from '@/lib/kube/kinds'
import { isSimulated } from '@/lib/kube/simulation'
import { deepEqual } from '@/lib/std/equal'
import { type Controller, type ReconcilerContext, watch } from '@/server/runtime/controller'
import { type Member, startMember } from './member'
import { type MemberSettings, readSettings } from './settings'

interface Entry {
  settings: MemberSettings
  /** Absent while the member is down. */
  member?: Member
}

/** A controller of Cluster objects; each simulated member that is up runs its own controllers. */
export function memberSimulation(context: ReconcilerContext): Controller[] {
  const entries = new Map<string, Entry>()
  return [
    {
      name: 'member-simulation',
      watches: [watch({ kind: clusterKind })],
      reconcile: (name) => reconcile(context, name, entries),
      start: () => async () => {
        await Promise.all([...entries.values()].map(({ member }) => member?.stop()))
        entries.clear()
      },
    },
  ]
}

async function reconcile(context: ReconcilerContext, name: string, entries: Map<string, Entry>): Promise<void> {
  const cluster = context.informers.of(clusterKind).get(name)
  const entry = entries.get(name)
  if (!cluster || !isSimulated(cluster)) {
    entries.delete(name)
    await entry?.member?.stop()
    return
  }
  const settings = readSettings(cluster)
  if (entry && isSame(entry.settings, settings)) return
  entries.set(name, { settings, member: await follow(context, name, { before: entry, settings }) })
}

/** Returns the running member; undefined while it is down. */
async function follow(
  context: ReconcilerContext,
  name: string,
  { before, settings }: { before: Entry | undefined; settings: MemberSettings },
): Promise<Member | undefined> {
  if (settings.down) {
    await before?.member?.stop()
    return undefined
  }
  if (!before?.member) return startMember(context, name, settings)
  before.member.apply(settings)
  return before.member
}

const isSame = (a: MemberSettings, b: MemberSettings): boolean =>
  deepEqual({ ...a, unhealthy: [...a.unhealthy] }, { ...b, unhealthy: [...b.unhealthy] })
