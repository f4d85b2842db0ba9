'use client'
import { Dialog as Radix } from 'radix-ui'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useText } from '../messages/use-text'
import { IconButton } from './button'
import { useReturnFocus } from './use-return-focus'

interface DialogProps {
  open: boolean
  onClose: () => void
  title: string
  children: ReactNode
}

/** A small panel in the middle of the page. */
export function Dialog({ open, onClose, title, children }: DialogProps) {
  const text = useText()
  const focus = useReturnFocus()
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-30 animate-overlay bg-scrim" />
        <Radix.Content
          aria-describedby={undefined}
          {...focus}
          className="fixed top-1/2 -outline-offset-2 data-opened:outline-none left-1/2 z-40 max-h-[80vh] w-[min(32rem,calc(100vw-2rem))] -translate-1/2 animate-overlay overflow-auto rounded-panel border border-line bg-paper p-6 shadow-overlay"
        >
          <div className="mb-3 flex items-center justify-between">
            <Radix.Title className="text-title">{title}</Radix.Title>
            <Radix.Close asChild>
              <IconButton label={text('common.close')}>
                <X size={16} aria-hidden="true" />
              </IconButton>
            </Radix.Close>
          </div>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
