import { useText } from '../messages/use-text'

const DEPTHS = ['fill-loss-1', 'fill-loss-2', 'fill-loss-3'] as const
/** As in the matrix: the deeper, the larger. */
const INSETS = [3.6, 1.7, 0] as const

/** What the cells of the matrix mean. */
export function MatrixKey({ hasUnknown }: { hasUnknown: boolean }) {
  const text = useText()
  return (
    <div>
      <p className="text-label">{text('resilience.key.title')}</p>
      <ul className="mt-1 flex flex-wrap gap-x-4 gap-y-1">
        <Entry label={text('resilience.key.0')} ground="fill-amount-1" />
        {DEPTHS.map((fill, depth) => (
          <li key={fill} className="flex items-center gap-1.5 text-ink-2">
            <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
              <rect width="12" height="12" className="fill-amount-1" />
              <rect
                x={INSETS[depth]}
                y={INSETS[depth]}
                width={12 - 2 * INSETS[depth]!}
                height={12 - 2 * INSETS[depth]!}
                className={fill}
              />
              {depth === 2 && <rect x="4" y="4" width="4" height="4" className="fill-paper" />}
            </svg>
            {text(`resilience.key.${(depth + 1) as 1 | 2 | 3}`)}
          </li>
        ))}
        <Entry label={text('resilience.key.single')} ground="fill-amount-3" />
        {hasUnknown && <Entry label={text('resilience.key.unknown')} ground="fill-none stroke-line-strong" />}
      </ul>
    </div>
  )
}

function Entry({ label, ground }: { label: string; ground: string }) {
  return (
    <li className="flex items-center gap-1.5 text-ink-2">
      <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
        <rect x="0.5" y="0.5" width="11" height="11" className={ground} />
      </svg>
      {label}
    </li>
  )
}
