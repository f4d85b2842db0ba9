'use client'
import { Popover as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

interface PopoverProps {
  trigger: ReactNode
  /** What it is called. */
  label: string
  children: ReactNode
}

/** A small panel beside its trigger; Escape and a click elsewhere close it, and the trigger has the focus again. */
export function Popover({ trigger, label, children }: PopoverProps) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          sideOffset={4}
          align="start"
          collisionPadding={8}
          className="z-40 w-72 animate-overlay rounded-panel border border-line bg-paper p-3 shadow-overlay outline-none"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
