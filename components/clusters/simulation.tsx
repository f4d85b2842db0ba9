'use client'
import { useMutation } from '@tanstack/react-query'
import type { ClusterView } from '@/lib/view/model'
import { simulateNeeds } from '@/lib/view/needs'
import { simulateMember } from '../hooks/actions'
import { useMay, useRightsAgain } from '../hooks/use-can'
import { useCommand } from '../hooks/use-shortcuts'
import { useText } from '../messages/use-text'
import { useAnnounce } from '../shell/announcer'
import { KubectlBlock } from '../status/kubectl-block'
import { ActionError } from '../ui/action-error'
import { GuardedButton } from '../ui/guarded-button'
import { simulationCommands } from '../fleet-summary/simulation-commands'

/** What can be done to a simulated member: buttons that act as the reader, and the same with kubectl. */
export function Simulation({ cluster: { name, ready } }: { cluster: Pick<ClusterView, 'name' | 'ready'> }) {
  const text = useText()
  const announce = useAnnounce()
  const rightsAgain = useRightsAgain()
  const act = useMutation({
    mutationFn: (state: 'up' | 'down') => simulateMember(name, { state }),
    onSuccess: (_, state) =>
      announce(text(state === 'down' ? 'clusters.simulate.isDown' : 'clusters.simulate.isUp', { cluster: name })),
    onError: rightsAgain,
  })
  const right = useMay(simulateNeeds(name))
  useCommand({ label: text('clusters.simulate.downCommand', { cluster: name }), right, run: () => act.mutate('down') })
  useCommand({ label: text('clusters.simulate.upCommand', { cluster: name }), right, run: () => act.mutate('up') })
  return (
    <div className="flex flex-col gap-2" data-testid="simulation">
      <p className="flex flex-wrap gap-2">
        <GuardedButton right={right} disabled={act.isPending || ready !== 'True'} onClick={() => act.mutate('down')}>
          {text('clusters.simulate.down')}
        </GuardedButton>
        <GuardedButton right={right} disabled={act.isPending || ready === 'True'} onClick={() => act.mutate('up')}>
          {text('clusters.simulate.up')}
        </GuardedButton>
      </p>
      <ActionError error={act.error} />
      {simulationCommands(name).map(({ name: shown, command }) => (
        <div key={shown}>
          <p className="text-ink-2">{text(`clusters.kubectl.${shown}`)}</p>
          <KubectlBlock
            label={text('clusters.kubectl.label', { title: text(`clusters.kubectl.${shown}`) })}
            text={command}
          />
        </div>
      ))}
    </div>
  )
}
