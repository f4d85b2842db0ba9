'use client'
import { useTextures } from '../picture/use-textures'

/** A share of a whole: solid what is safe, hatched what is lost. Decorative: the figures beside it say the same. */
export function ShareBar({ part, whole }: { part: number; whole: number }) {
  const textures = useTextures()
  const width = whole === 0 ? 0 : (part / whole) * 100
  return (
    <svg viewBox="0 0 100 8" preserveAspectRatio="none" className="h-2 w-full" aria-hidden="true">
      {textures.defs}
      <rect width="100" height="8" className="fill-sunken" />
      <rect width={width} height="8" className="fill-amount-5" />
      {whole > 0 && part < whole && (
        <rect x={width} width={Math.max(1, 100 - width)} height="8" fill={textures.fill('lost')} />
      )}
    </svg>
  )
}
