'use client'
import { cloneElement, type ReactElement } from 'react'
import type { MessageCode, Value } from '@/lib/messages'
import { useText } from './use-text'

interface RichProps {
  code: MessageCode
  args?: Readonly<Record<string, Value>>
  /** By the name of the mark: `<link>…</link>` becomes the element with those words in it, `<link></link>` the element as it is. */
  parts: Readonly<Record<string, ReactElement>>
}

/** A text of the catalogue with elements in it. */
export function Rich({ code, args, parts }: RichProps) {
  const drawn = Object.entries(parts).map(([name, element]) => [
    name,
    (words: (string | ReactElement)[]) =>
      words.length === 0 ? cloneElement(element, { key: name }) : cloneElement(element, { key: name }, ...words),
  ])
  return useText().rich<ReactElement, MessageCode>(code, { ...args, ...Object.fromEntries(drawn) })
}
