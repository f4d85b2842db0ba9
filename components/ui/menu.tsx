'use client'
import { DropdownMenu } from 'radix-ui'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'

interface ChoiceMenuProps<T extends string> {
  trigger: ReactNode
  label: string
  value: T
  choices: readonly { value: T; label: string; lang?: string }[]
  onChange: (value: T) => void
}

/** A menu of which exactly one entry is chosen. */
export function ChoiceMenu<T extends string>({ trigger, label, value, choices, onChange }: ChoiceMenuProps<T>) {
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          sideOffset={4}
          align="end"
          collisionPadding={8}
          className="z-40 min-w-40 animate-overlay rounded-panel border border-line bg-paper p-1 shadow-overlay"
        >
          <DropdownMenu.Label className="px-2 py-1 text-label text-ink-2">{label}</DropdownMenu.Label>
          <DropdownMenu.RadioGroup value={value} onValueChange={(next) => onChange(next as T)}>
            {choices.map((choice) => (
              <DropdownMenu.RadioItem
                key={choice.value}
                value={choice.value}
                lang={choice.lang}
                className="flex h-7 items-center gap-2 rounded-control px-2 outline-none data-[highlighted]:bg-sunken"
              >
                <span className="w-4">
                  <DropdownMenu.ItemIndicator>
                    <Check size={14} aria-hidden="true" />
                  </DropdownMenu.ItemIndicator>
                </span>
                {choice.label}
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
