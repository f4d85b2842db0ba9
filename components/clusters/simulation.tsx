'use client'
import { useMutation } from '@tanstack/react-query'
import type { ClusterView } from '@/lib/view/model'
import { simulateNeeds } from '@/lib/view/needs'
import { simulateMember } from '../hooks/actions'
import { useMay, useRightsAgain } from '../hooks/use-can'
import { useCommand } from '../hooks/use-shortcuts'
import { useAnnounce } from '../shell/announcer'
import { KubectlBlock } from '../status/kubectl-block'
import { GuardedButton } from '../ui/guarded-button'
import { simulationCommands } from './simulation-commands'

/** What can be done to a simulated member: buttons that act as the reader, and the same with kubectl. */
export function Simulation({ cluster: { name, ready } }: { cluster: Pick<ClusterView, 'name' | 'ready'> }) {
  const announce = useAnnounce()
  const rightsAgain = useRightsAgain()
  const act = useMutation({
    mutationFn: (state: 'up' | 'down') => simulateMember(name, state),
    onSuccess: (_, state) => announce(state === 'down' ? `${name} stops answering.` : `${name} answers again.`),
    onError: rightsAgain,
  })
  const right = useMay(simulateNeeds(name))
  useCommand({ label: `Take down: ${name}`, right, run: () => act.mutate('down') })
  useCommand({ label: `Bring back: ${name}`, right, run: () => act.mutate('up') })
  return (
    <div className="flex flex-col gap-2" data-testid="simulation">
      <p className="flex flex-wrap gap-2">
        <GuardedButton right={right} disabled={act.isPending || ready !== 'True'} onClick={() => act.mutate('down')}>
          Take down
        </GuardedButton>
        <GuardedButton right={right} disabled={act.isPending || ready === 'True'} onClick={() => act.mutate('up')}>
          Bring back
        </GuardedButton>
      </p>
      {act.error && <p role="alert" className="text-fail">{act.error.message}</p>}
      {simulationCommands(name).map(({ title, command }) => (
        <div key={title}>
          <p className="text-ink-2">{title}</p>
          <KubectlBlock label={`the command: ${title.toLowerCase()}`} text={command} />
        </div>
      ))}
    </div>
  )
}
