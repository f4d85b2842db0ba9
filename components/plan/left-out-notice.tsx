import { nameOfId } from '@/lib/view/workload-id'
import { useText } from '../messages/use-text'
import { Button } from '../ui/button'

interface LeftOutNoticeProps {
  ids: readonly string[]
  /** Without an id: all of them. */
  onPutBack: (id?: string) => void
}

/** What was left out of the preview, each with its undo. */
export function LeftOutNotice({ ids, onPutBack }: LeftOutNoticeProps) {
  const text = useText()
  if (ids.length === 0) return null
  return (
    <output className="mb-4 flex flex-wrap items-center gap-2" data-testid="left-out">
      <span>{text('plan.drawer.leftOut', { n: ids.length })}</span>
      {ids.map((id) => (
        <Button
          key={id}
          aria-label={text('plan.drawer.putBackOne', { workload: nameOfId(id) })}
          onClick={() => onPutBack(id)}
        >
          <span className="max-w-48 truncate">{nameOfId(id)}</span> <span aria-hidden="true">×</span>
        </Button>
      ))}
      {ids.length > 1 && <Button onClick={() => onPutBack()}>{text('plan.drawer.putBackAll')}</Button>}
    </output>
  )
}
