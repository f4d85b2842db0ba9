'use client'
import { Tabs as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { useText } from '../messages/use-text'

export interface TabItem {
  value: string
  label: string
  /** Shown after the label; a tab whose list is empty says 0. */
  count?: number
  content: ReactNode
}

interface TabsProps {
  label: string
  items: TabItem[]
  value: string
  onChange: (value: string) => void
}

/** Tabs whose choice the caller keeps, in the address of the page. */
export function Tabs({ label, items, value, onChange }: TabsProps) {
  const text = useText()
  return (
    <Radix.Root value={value} onValueChange={onChange}>
      <Radix.List aria-label={label} className="flex flex-wrap gap-x-1 border-b border-line">
        {items.map((item) => (
          <Radix.Trigger
            key={item.value}
            value={item.value}
            className="-mb-px h-8 border-b-2 border-transparent px-3 whitespace-nowrap text-ink-2 -outline-offset-2 hover:text-ink data-[state=active]:border-ink data-[state=active]:font-medium data-[state=active]:text-ink"
          >
            {item.label}
            {item.count !== undefined && (
              <span className="ml-1.5 text-label text-ink-2">{text.format.count(item.count)}</span>
            )}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {items.map((item) => (
        <Radix.Content key={item.value} value={item.value} className="py-4">
          {item.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  )
}
