'use client'
import type { ComponentProps } from 'react'
import { useCommand } from '../hooks/use-shortcuts'
import { GuardedButton } from '../ui/guarded-button'

interface ActButtonProps extends Omit<ComponentProps<typeof GuardedButton>, 'onClick'> {
  /** What the list of commands and the keyboard help call it. */
  command: string
  /** The key that does the same. */
  keys?: string
  onAct: () => void
}

/** The button of an act of the page: the same right, the same words of refusal, by pointer, by key and as a command. */
export function ActButton({ command, keys, onAct, right, ...props }: ActButtonProps) {
  useCommand({ keys, label: command, right, run: () => !props.disabled && onAct() })
  return <GuardedButton right={right} onClick={onAct} {...(keys && { 'aria-keyshortcuts': keys })} {...props} />
}
