/** The texts of every locale, for servers and tests; a browser loads the catalogue of its reader only (load.ts). */
import { catalogue as en } from './en'
import type { Locale } from './locale'
import { createText, type MessageProblem, type Text } from './text'
import { catalogue as zh } from './zh-CN'

const listeners = new Set<(problem: MessageProblem) => void>()
const onProblem = (problem: MessageProblem): void => listeners.forEach((listener) => listener(problem))

export const texts: Record<Locale, Text> = {
  en: createText({ locale: 'en', catalogue: en, onProblem }),
  'zh-CN': createText({ locale: 'zh-CN', catalogue: zh, fallback: en, onProblem }),
}

/** Calls the listener for each message that is missing or has an argument of a wrong type. Returns how to stop. */
export function onMessageProblem(listener: (problem: MessageProblem) => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
