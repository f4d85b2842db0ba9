'use client'
import { KubectlBlock } from '../status/kubectl-block'
import type { ReactNode } from 'react'
import { type ExactPatch, kubectlPatch } from '@/lib/view/queue-patches'
import { Disclosure, Manifest } from '../plan/manifest'
import type { Right } from '../hooks/use-can'
import { GuardedButton } from '../ui/guarded-button'
import { StateGlyph } from '../status/state-glyph'
import { Button } from '../ui/button'
import { Drawer } from '../ui/drawer'

interface ActionDrawerProps {
  title: string
  /** What the button that does it says. */
  verb: string
  right: Right
  action: { ask: () => void; asking: boolean; error: Error | null; close: () => void }
  /** False while what is needed is missing or wrong. */
  ready: boolean
  /** What would be written, where that is one patch. */
  patch?: ExactPatch | undefined
  wide?: boolean
  children: ReactNode
}

/** The panel of every action on a queue: what would be done, its exact patch and command, and only then the button. */
export function ActionDrawer({ title, verb, right, action, ready, patch, wide = false, children }: ActionDrawerProps) {
  return (
    <Drawer
      open
      onClose={action.close}
      title={title}
      description="Nothing has been done yet. This is what would be asked for."
      wide={wide}
      footer={
        <div className="flex grow justify-end gap-2">
          <Button onClick={action.close}>Cancel</Button>
          <GuardedButton right={right} variant="primary" disabled={!ready || action.asking} onClick={action.ask}>
            {action.asking ? 'Asking…' : verb}
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
        {patch && <Exactly patch={patch} />}
      </div>
    </Drawer>
  )
}

function Exactly({ patch }: { patch: ExactPatch }) {
  return (
    <div>
      <Disclosure summary={`The exact patch of ${patch.kind} ${patch.namespace}/${patch.name}`}>
        <Manifest value={patch.patch} label="the patch" />
      </Disclosure>
      <Disclosure summary="The same with kubectl">
        <KubectlBlock label="the command" text={kubectlPatch(patch)} />
      </Disclosure>
    </div>
  )
}

/** A sentence that somebody should read twice. */
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
