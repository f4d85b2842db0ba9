import { formatNumberOf } from '@/lib/format'
import { Button } from '../ui/button'

/** Changes of the list that wait while somebody points at it; the button lets them in. */
export function WaitingChanges({ count, onRelease }: { count: number; onRelease: () => void }) {
  if (count === 0) return null
  return (
    <Button variant="quiet" onClick={onRelease} data-testid="waiting-changes">
      {formatNumberOf(count, 'change')} · Show
    </Button>
  )
}
