'use client'
import {
  cloneElement,
  type ComponentProps,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { browserClock } from '../hooks/browser-clock'
import { useKeyDown } from '../hooks/use-key-down'

const SHOW_MS = 300
/** Time to move the pointer from the trigger to the sentence, as to select a part of it. */
const HIDE_MS = 150

/** A sentence that appears on hover and on keyboard focus. The child must be a button. */
export function Tooltip({ text, children }: { text: ReactNode; children: ReactElement<ComponentProps<'button'>> }) {
  const id = useId()
  const trigger = useRef<HTMLButtonElement>(null)
  const { open, set, after } = useDelayed()
  const onPointerEnter = ({ pointerType }: PointerEvent) => pointerType !== 'touch' && after(SHOW_MS, true)
  const onPointerLeave = () => after(HIDE_MS, false)
  return (
    <>
      {cloneElement(children, {
        ref: trigger,
        'aria-describedby': children.props['aria-describedby'] ?? (open ? id : undefined),
        onPointerEnter,
        onPointerLeave,
        onPointerDown: () => set(false),
        onFocus: ({ currentTarget }) => currentTarget.matches(':focus-visible') && set(true),
        onBlur: () => set(false),
      })}
      {open && (
        <span
          ref={(panel) => {
            if (trigger.current) panel?.showPopover({ source: trigger.current })
          }}
          id={id}
          role="tooltip"
          popover="manual"
          onPointerEnter={onPointerEnter}
          onPointerLeave={onPointerLeave}
          className="max-w-80 animate-overlay rounded-panel border border-line bg-raised px-3 py-2 text-left text-label font-normal whitespace-normal shadow-overlay"
        >
          {text}
        </span>
      )}
    </>
  )
}

/** Open or not, at once or in a moment; Escape closes. */
function useDelayed() {
  const [open, setOpen] = useState(false)
  const cancel = useRef<() => void>(undefined)
  const set = (next: boolean) => {
    cancel.current?.()
    setOpen(next)
  }
  const after = (ms: number, next: boolean) => {
    cancel.current?.()
    cancel.current = browserClock.after(ms, () => setOpen(next))
  }
  useEffect(() => () => cancel.current?.(), [])
  useKeyDown(({ key }) => key === 'Escape' && setOpen(false), open)
  return { open, set, after }
}
