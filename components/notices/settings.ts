/** What this browser's user chose about notices. */
import { parseStored } from '../hooks/stored-json'

export const SOUNDS = ['off', 'chime', 'beeps', 'siren'] as const
export type Sound = (typeof SOUNDS)[number]

export interface NoticeSettings {
  notifications: boolean
  sound: Sound
  /** 0 to 100. */
  volume: number
}

const DEFAULT_SETTINGS: NoticeSettings = { notifications: false, sound: 'off', volume: 50 }

/** Stored settings may come from another version or be modified by a user: only valid fields count. */
export function parseSettings(text: string | null): NoticeSettings {
  const kept = { ...(parseStored(text) as Record<string, unknown> | undefined) }
  const volume = kept.volume
  return {
    notifications: kept.notifications === true,
    sound: SOUNDS.find((sound) => sound === kept.sound) ?? DEFAULT_SETTINGS.sound,
    volume: typeof volume === 'number' && volume >= 0 && volume <= 100 ? Math.round(volume) : DEFAULT_SETTINGS.volume,
  }
}
