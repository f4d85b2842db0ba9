/** What somebody asked for and does not show yet: asked for, never done. Nothing where nobody asked. */
export function AskedFor({ words }: { words: string | undefined }) {
  if (words === undefined) return null
  return (
    <span className="whitespace-nowrap text-ink-2" data-testid="asked">
      {words}: asked for
    </span>
  )
}
