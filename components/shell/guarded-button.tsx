'use client'
import { type ComponentProps, useId } from 'react'
import type { Right } from '../hooks/use-can'
import { Button } from '../ui/button'
import { Tooltip } from '../ui/tooltip'

interface GuardedButtonProps extends ComponentProps<typeof Button> {
  right: Pick<Right, 'allowed' | 'reason'>
}

/**
 * A button that says why it is off. It stays reachable by keyboard, so that its reason can be read there, and does nothing
 * when pressed.
 */
export function GuardedButton({ right, ...props }: GuardedButtonProps) {
  if (right.allowed) return <Button {...props} />
  return <RefusedButton reason={right.reason ?? 'You may not do this.'} {...props} />
}

function RefusedButton({ reason, onClick: _onClick, children, className = '', ...props }: ComponentProps<typeof Button> & { reason: string }) {
  const id = useId()
  return (
    <>
      <Tooltip text={reason}>
        <Button {...props} aria-disabled="true" aria-describedby={id} data-refused={reason} className={`${className} opacity-50`}>
          {children}
        </Button>
      </Tooltip>
      <span id={id} className="sr-only">
        {reason}
      </span>
    </>
  )
}
