'use client'
import { Check } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { Popover, type Trigger } from './popover'

interface ChoiceMenuProps<T extends string> {
  trigger: Trigger
  label: string
  value: T
  choices: readonly { value: T; label: string; lang?: string }[]
  onChange: (value: T) => void
}

const ITEM = '[role="menuitemradio"]'

/** A menu of which exactly one entry is chosen. */
export function ChoiceMenu<T extends string>({ trigger, label, value, choices, onChange }: ChoiceMenuProps<T>) {
  return (
    <Popover
      trigger={trigger}
      label={label}
      role="menu"
      focusOn={ITEM}
      onKeyDown={moveInMenu}
      className="min-w-40 animate-overlay rounded-panel border border-line bg-paper p-1 shadow-overlay"
    >
      {(id) => (
        <>
          <div className="px-2 py-1 text-label text-ink-2">{label}</div>
          {choices.map((choice) => (
            <button
              key={choice.value}
              type="button"
              role="menuitemradio"
              aria-checked={choice.value === value}
              tabIndex={-1}
              lang={choice.lang}
              onPointerMove={(event) => event.currentTarget.focus()}
              popoverTarget={id}
              popoverTargetAction="hide"
              onClick={() => onChange(choice.value)}
              className="flex h-7 w-full items-center gap-2 rounded-control px-2 text-left outline-none focus:bg-sunken"
            >
              <span className="w-4">{choice.value === value && <Check size={14} aria-hidden="true" />}</span>
              {choice.label}
            </button>
          ))}
        </>
      )}
    </Popover>
  )
}

/** Arrows, Home and End move, letters go to the next entry that begins with them, Tab leaves. */
function moveInMenu(event: KeyboardEvent<HTMLElement>): void {
  const { currentTarget: menu, key } = event
  const items = [...menu.querySelectorAll<HTMLElement>(ITEM)]
  const at = items.indexOf(document.activeElement as HTMLElement)
  if (key === 'Tab') return menu.hidePopover()
  const steps: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }
  const to = Object.hasOwn(steps, key)
    ? items.at((steps[key] ?? 0) % items.length)
    : [...items.slice(at + 1), ...items].find((item) => startsWith(item, key))
  if (to === undefined || key === ' ') return
  event.preventDefault()
  to.focus()
}

const startsWith = (item: HTMLElement, letter: string): boolean =>
  letter.length === 1 && (item.textContent ?? '').toLowerCase().startsWith(letter.toLowerCase())
