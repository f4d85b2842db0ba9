'use client'
import { Dialog } from 'radix-ui'
import { clsx } from 'clsx'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useText } from '../messages/use-text'
import { IconButton } from './button'
import { useReturnFocus } from './use-return-focus'

interface DrawerProps {
  open: boolean
  onClose: () => void
  title: ReactNode
  /** One line under the title. */
  description?: ReactNode
  children: ReactNode
  footer?: ReactNode
  wide?: boolean
}

/** A panel at the right edge over a dimmed page. Takes focus, gives it back, closes with Esc. */
export function Drawer({ open, onClose, title, description, children, footer, wide = false }: DrawerProps) {
  const text = useText()
  const focus = useReturnFocus()
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-30 animate-overlay bg-scrim" />
        <Dialog.Content
          className={clsx(
            'fixed inset-y-0 right-0 z-40 flex -outline-offset-2 data-opened:outline-none w-full animate-drawer flex-col border-l border-line bg-paper shadow-overlay',
            wide ? 'max-w-[56rem]' : 'max-w-[40rem]',
          )}
          {...focus}
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
        >
          <header className="flex items-start gap-3 border-b border-line px-6 py-4">
            <div className="min-w-0 grow">
              <Dialog.Title className="text-title break-words">{title}</Dialog.Title>
              {description !== undefined && (
                <Dialog.Description asChild>
                  <div className="text-ink-2">{description}</div>
                </Dialog.Description>
              )}
            </div>
            <Dialog.Close asChild>
              <IconButton label={text('common.close')}>
                <X size={16} aria-hidden="true" />
              </IconButton>
            </Dialog.Close>
          </header>
          <div className="min-h-0 grow overflow-auto px-6 py-4">{children}</div>
          {footer !== undefined && <footer className="border-t border-line px-6 py-3">{footer}</footer>}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
