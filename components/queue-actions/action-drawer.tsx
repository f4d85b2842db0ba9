'use client'
import { KubectlBlock } from '../status/kubectl-block'
import type { ReactNode } from 'react'
import { type ExactPatch, kubectlPatch } from '@/lib/view/queue-patches'
import { useText } from '../messages/use-text'
import { Disclosure, Manifest } from '../plan/manifest'
import type { Right } from '../hooks/use-can'
import { GuardedButton } from '../ui/guarded-button'
import { StateGlyph } from '../status/state-glyph'
import { Button } from '../ui/button'
import { Drawer } from '../ui/drawer'

interface ActionDrawerProps {
  title: string
  /** The label of the button that does it. */
  verb: string
  right: Right
  action: { ask: () => void; asking: boolean; error: Error | null; close: () => void }
  /** False while a field is missing or invalid. */
  ready: boolean
  /** What would be written, where that is one patch. */
  patch?: ExactPatch | undefined
  wide?: boolean
  children: ReactNode
}

/** The panel of every action on a queue: a preview, its exact patch and command, and only then the button. */
export function ActionDrawer({ title, verb, right, action, ready, patch, wide = false, children }: ActionDrawerProps) {
  const text = useText()
  return (
    <Drawer
      open
      onClose={action.close}
      title={title}
      description={text('queues.action.preview')}
      wide={wide}
      footer={
        <div className="flex grow justify-end gap-2">
          <Button onClick={action.close}>{text('queues.action.cancel')}</Button>
          <GuardedButton right={right} variant="primary" disabled={!ready || action.asking} onClick={action.ask}>
            {action.asking ? text('queues.action.sending') : verb}
          </GuardedButton>
        </div>
      }
    >
      <div className="flex flex-col gap-4" data-testid="queue-action">
        {action.error !== null && (
          <p role="alert" className="flex items-center gap-2">
            <StateGlyph state="fail" />
            {action.error.message}
          </p>
        )}
        {children}
        {patch && <PatchPreview patch={patch} />}
      </div>
    </Drawer>
  )
}

function PatchPreview({ patch }: { patch: ExactPatch }) {
  const text = useText()
  const { kind, namespace, name } = patch
  return (
    <div>
      <Disclosure summary={text('queues.action.patch', { kind, name: `${namespace}/${name}` })}>
        <Manifest value={patch.patch} label={text('queues.action.patchLabel')} />
      </Disclosure>
      <KubectlDisclosure command={kubectlPatch(patch)} />
    </div>
  )
}

/** The same action as a command. */
export function KubectlDisclosure({ command }: { command: string }) {
  const text = useText()
  return (
    <Disclosure summary={text('queues.action.kubectl')}>
      <KubectlBlock label={text('queues.action.kubectlLabel')} text={command} />
    </Disclosure>
  )
}

/** A consequence to consider before going on. */
export function Warning({ children }: { children: ReactNode }) {
  return (
    <div className="flex gap-2" data-testid="action-warning">
      <span className="flex h-5 items-center">
        <StateGlyph state="warn" />
      </span>
      <div className="min-w-0">{children}</div>
    </div>
  )
}
