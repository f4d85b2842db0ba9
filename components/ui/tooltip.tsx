'use client'
import { Tooltip as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

export const TooltipProvider = ({ children }: { children: ReactNode }) => (
  <Radix.Provider delayDuration={300} skipDelayDuration={100}>
    {children}
  </Radix.Provider>
)

/** A sentence that appears on hover and on focus. The child must be focusable. */
export function Tooltip({ text, children }: { text: ReactNode; children: ReactNode }) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          sideOffset={4}
          collisionPadding={8}
          className="z-40 max-w-80 animate-overlay rounded-panel border border-line bg-raised px-3 py-2 text-label font-normal shadow-overlay"
        >
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
