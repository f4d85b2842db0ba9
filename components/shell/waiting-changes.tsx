'use client'
import { useText } from '../messages/use-text'
import { Button } from '../ui/button'

/** Changes of the list that are held while the user points at it; the button applies them. */
export function WaitingChanges({ count, onRelease }: { count: number; onRelease: () => void }) {
  const text = useText()
  if (count === 0) return null
  return (
    <Button variant="quiet" onClick={onRelease} data-testid="waiting-changes">
      {text('common.list.heldChanges', { n: count })}
    </Button>
  )
}
