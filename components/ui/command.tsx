'use client'
import { Command } from 'cmdk'
import { Dialog } from 'radix-ui'
import { type ReactNode, useRef } from 'react'
import { useReturnFocus } from './use-return-focus'

const PANEL =
  'fixed top-[12vh] left-1/2 z-50 w-[min(40rem,calc(100vw-2rem))] -translate-x-1/2 animate-overlay '
  + 'rounded-panel border border-line bg-paper shadow-overlay outline-none'
const GROUP =
  'mb-2 last:mb-0 [&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1 '
  + '[&_[cmdk-group-heading]]:text-label [&_[cmdk-group-heading]]:text-ink-2'
const OPTION = 'flex min-h-8 cursor-default items-center gap-3 rounded-control px-2 py-1 data-[selected=true]:bg-sunken'

interface CommandDialogProps {
  open: boolean
  onClose: () => void
  /** Called after closing, when the focus has returned. */
  onClosed: () => void
  label: string
  /** What may be typed. */
  hint: string
  query: string
  onQuery: (query: string) => void
  /** Stands below the list while there is no option; a list may hold options only. */
  empty: ReactNode
  /** Content below the list, independent of its options. */
  remarks?: ReactNode
  /** Groups of options; they are filtered already. */
  children: ReactNode
}

/** A field with a list below it: typing narrows it, arrows move in it, Enter chooses, Esc closes. */
export function CommandDialog({
  open,
  onClose,
  onClosed,
  label,
  hint,
  query,
  onQuery,
  empty,
  remarks,
  children,
}: CommandDialogProps) {
  const { onOpenAutoFocus, onCloseAutoFocus } = useReturnFocus()
  const input = useRef<HTMLInputElement>(null)
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 animate-overlay bg-scrim" />
        <Dialog.Content
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            onOpenAutoFocus(event)
            input.current?.focus()
          }}
          onCloseAutoFocus={(event) => {
            onCloseAutoFocus(event)
            onClosed()
          }}
          className={PANEL}
        >
          <Dialog.Title className="sr-only">{label}</Dialog.Title>
          <Command label={label} shouldFilter={false} loop className="flex max-h-[70vh] flex-col outline-none">
            <Command.Input
              ref={input}
              value={query}
              onValueChange={onQuery}
              placeholder={hint}
              className="h-11 shrink-0 border-b border-line bg-paper px-4 -outline-offset-2 placeholder:text-ink-2"
            />
            <Command.List label={label} className="min-h-0 overflow-auto p-2">
              {children}
            </Command.List>
            <Command.Empty aria-live="polite" className="px-4 pb-3 text-ink-2">
              {empty}
            </Command.Empty>
            {remarks && <div className="px-2 pb-2">{remarks}</div>}
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** Options under a heading. */
export function CommandGroup({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Command.Group heading={heading} className={GROUP}>
      {children}
    </Command.Group>
  )
}

interface CommandOptionProps {
  /** Another one for each option. */
  id: string
  onChoose: () => void
  /** Why it cannot be chosen now; it stays reachable, so that this can be read. */
  refused?: string | undefined
  children: ReactNode
}

export function CommandOption({ id, onChoose, refused, children }: CommandOptionProps) {
  return (
    <Command.Item value={id} onSelect={onChoose} data-refused={refused} className={OPTION}>
      {children}
    </Command.Item>
  )
}
