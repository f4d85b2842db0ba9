/** Sounds made of tones: no file is fetched, and none has to be allowed. */
import type { Sound } from './settings'

interface Tone {
  hertz: number
  /** Seconds after the beginning. */
  at: number
  seconds: number
}

const sequence = (seconds: number, ...hertz: number[]): Tone[] =>
  hertz.map((each, index) => ({ hertz: each, at: index * seconds, seconds }))

const TONES: Record<Exclude<Sound, 'off'>, readonly Tone[]> = {
  chime: sequence(0.3, 523, 659, 784),
  beeps: sequence(0.16, 880, 0, 880, 0, 880),
  siren: sequence(0.35, 600, 900, 600, 900, 600, 900),
}

/** The tones of a sound; what is over sounds the other way round, and shorter. */
export function tonesOf(sound: Exclude<Sound, 'off'>, isOver: boolean): readonly Tone[] {
  const tones = TONES[sound].filter(({ hertz }) => hertz > 0)
  if (!isOver) return tones
  const falling = [...new Set(tones.map(({ hertz }) => hertz))].toSorted((a, b) => b - a)
  return sequence(0.2, ...falling.slice(0, 2), (falling.at(-1) ?? 440) / 2)
}

const FADE_SECONDS = 0.02

let context: AudioContext | undefined

/** Plays a sound. Browsers keep silent in a tab without a click or key so far. */
export async function play(sound: Sound, volume: number, isOver = false): Promise<void> {
  if (sound === 'off') return
  context ??= new AudioContext()
  await context.resume()
  const from = context.currentTime + 0.05
  for (const { hertz, at, seconds } of tonesOf(sound, isOver)) {
    const [tone, gain] = [context.createOscillator(), context.createGain()]
    tone.frequency.value = hertz
    tone.connect(gain).connect(context.destination)
    // Without a fade each tone begins and ends with a click.
    gain.gain.setValueAtTime(0, from + at)
    gain.gain.linearRampToValueAtTime(volume / 100, from + at + FADE_SECONDS)
    gain.gain.setValueAtTime(volume / 100, from + at + seconds - FADE_SECONDS)
    gain.gain.linearRampToValueAtTime(0, from + at + seconds)
    tone.start(from + at)
    tone.stop(from + at + seconds)
  }
}
