'use client'
import type { ComponentProps } from 'react'
import { useCommand } from '../hooks/use-shortcuts'
import { GuardedButton } from '../ui/guarded-button'

interface ActButtonProps extends Omit<ComponentProps<typeof GuardedButton>, 'onClick'> {
  /** Its name in the command palette and in the keyboard help. */
  command: string
  /** The key that does the same. */
  keys?: string
  onAct: () => void
}

/** The button of an action of the page: the same permission and the same refusal by pointer, by key and as a command. */
export function ActButton({ command, keys, onAct, right, ...props }: ActButtonProps) {
  useCommand({ keys, label: command, right, run: () => !props.disabled && onAct() })
  return <GuardedButton right={right} onClick={onAct} {...(keys && { 'aria-keyshortcuts': keys })} {...props} />
}
