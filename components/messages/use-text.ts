'use client'
import { createContext, use } from 'react'
import type { Text } from '@/lib/messages'

export const TextContext = createContext<Text | undefined>(undefined)

/** The reader's text function: `const text = useText()`, then `text('queues.position')`. */
export function useText(): Text {
  const text = use(TextContext)
  if (!text) throw new Error('useText needs a MessagesProvider above it.')
  return text
}
