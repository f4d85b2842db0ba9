'use client'
import {
  cloneElement,
  type ComponentProps,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  useId,
  useRef,
  useState,
} from 'react'

export type Trigger = ReactElement<ComponentProps<'button'>>

interface PopoverProps {
  /** A button. */
  trigger: Trigger
  /** What it is called. */
  label: string
  role?: 'dialog' | 'menu'
  className?: string
  /** Takes the focus when it opens; by default the panel. */
  focusOn?: string
  onKeyDown?: (event: KeyboardEvent<HTMLElement>) => void
  /** Draws what is in it, once it is open. Buttons close it by its id: `popoverTarget`. */
  children: (id: string) => ReactNode
}

/**
 * A small panel beside its trigger. The browser shows it above the page, places it (see `[popover]` in globals.css), closes
 * it on Escape and on a click elsewhere, and gives the focus back.
 */
export function Popover({ trigger, label, role = 'dialog', className, focusOn, onKeyDown, children }: PopoverProps) {
  const id = useId()
  const panel = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  const takeFocus = () => (focusOn === undefined ? panel.current : panel.current?.querySelector<HTMLElement>(focusOn))
  return (
    <>
      {cloneElement(trigger, {
        popoverTarget: id,
        'aria-haspopup': role,
        'aria-expanded': open,
        onKeyDown: (event: KeyboardEvent<HTMLButtonElement>) => {
          if (role === 'menu' && event.key === 'ArrowDown') event.currentTarget.click()
        },
      })}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- it has its role while it is open */}
      <div
        ref={panel}
        id={id}
        popover="auto"
        // Keys of the page rest while there is a dialog or a menu in the document.
        role={open ? role : undefined}
        aria-label={label}
        tabIndex={-1}
        className={className}
        onBeforeToggle={(event) => event.newState === 'open' && setOpen(true)}
        // Emptied once it is closed: the browser gives the focus back only from an element that is still there.
        onToggle={(event) => (event.newState === 'open' ? takeFocus()?.focus() : setOpen(false))}
        onKeyDown={onKeyDown}
      >
        {open && children(id)}
      </div>
    </>
  )
}
