import { useText } from '../messages/use-text'

/** An action that was requested and whose effect does not show yet. */
export function AskedFor({ words }: { words: string | undefined }) {
  const text = useText()
  if (words === undefined) return null
  return (
    <span className="whitespace-nowrap text-ink-2" data-testid="asked">
      {text('common.requested', { action: words })}
    </span>
  )
}
