'use client'
import { useMemo, useSyncExternalStore } from 'react'
import { type NoticeSettings, parseSettings } from './settings'

const KEY = 'evenkeel.notices'
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  // Another tab changed it.
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

const kept = (): string | null => localStorage.getItem(KEY)

export function useNoticeSettings(): NoticeSettings {
  const text = useSyncExternalStore(subscribe, kept, () => null)
  return useMemo(() => parseSettings(text), [text])
}

export function saveNoticeSettings(settings: NoticeSettings): void {
  localStorage.setItem(KEY, JSON.stringify(settings))
  for (const listener of listeners) listener()
}

let isOpen = false
const openListeners = new Set<() => void>()

function subscribeOpen(listener: () => void): () => void {
  openListeners.add(listener)
  return () => openListeners.delete(listener)
}

/** Whether the drawer with the settings is open. */
export const useSettingsOpen = (): boolean =>
  useSyncExternalStore(
    subscribeOpen,
    () => isOpen,
    () => false,
  )

export function showSettings(show: boolean): void {
  isOpen = show
  for (const listener of openListeners) listener()
}
