'use client'
import { clsx } from 'clsx'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { useText } from '../messages/use-text'
import { Button, buttonClass } from './button'
import { Link } from './link'
import { Tooltip } from './tooltip'

interface Guard {
  /** Whether it may be done, and if not, why. */
  right: { allowed: boolean; reason?: string | undefined }
}

/**
 * Renders a button that shows why it is disabled. It stays focusable, so that keyboard users can read the reason, and
 * ignores presses.
 */
export function GuardedButton({ right, ...props }: ComponentProps<typeof Button> & Guard) {
  if (right.allowed) return <Button {...props} />
  const { onClick: _onClick, disabled: _disabled, title: _title, 'aria-keyshortcuts': _keys, ...rest } = props
  return <RefusedButton reason={right.reason} {...rest} />
}

interface GuardedLinkProps extends Guard {
  href: string
  variant?: ComponentProps<typeof Button>['variant']
  children: ReactNode
}

/** A link that leads to an act and looks like a button; where the act is refused, the button that says so. */
export function GuardedLink({ right, href, variant, children }: GuardedLinkProps) {
  if (right.allowed)
    return (
      <Link href={href} className={buttonClass(variant)}>
        {children}
      </Link>
    )
  return (
    <RefusedButton reason={right.reason} {...(variant && { variant })}>
      {children}
    </RefusedButton>
  )
}

interface RefusedButtonProps extends ComponentProps<typeof Button> {
  reason: string | undefined
}

function RefusedButton({ reason: given, children, className, ...props }: RefusedButtonProps) {
  const id = useId()
  const text = useText()
  const reason = given ?? text('common.notPermitted')
  return (
    <>
      <Tooltip text={reason}>
        <Button
          {...props}
          aria-disabled="true"
          aria-describedby={id}
          data-refused={reason}
          className={clsx(className, 'opacity-50')}
        >
          {children}
        </Button>
      </Tooltip>
      <span id={id} className="sr-only">
        {reason}
      </span>
    </>
  )
}
