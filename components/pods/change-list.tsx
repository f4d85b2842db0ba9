'use client'
import { useText } from '../messages/use-text'
import type { FieldChange } from './object-diff'

const MOST = 200
const MAX_CHARACTERS = 500

/** Lists changed fields: the old value, struck through, and the new one. */
export function ChangeList({ changes }: { changes: readonly FieldChange[] }) {
  const text = useText()
  return (
    <>
      <ul className="divide-y divide-line border-y border-line">
        {changes.slice(0, MOST).map(({ path, before, after }) => (
          <li key={path} className="py-1.5" data-testid="change" data-path={path}>
            <p className="mono font-semibold break-all">{path}</p>
            {before !== undefined && (
              <p className="mono break-all">
                <span className="mr-2 text-ink-2">{text('edit.before')}</span>
                <del>{shown(before)}</del>
              </p>
            )}
            {after !== undefined && (
              <p className="mono break-all">
                <span className="mr-2 text-ink-2">{text('edit.after')}</span>
                <ins className="no-underline">{shown(after)}</ins>
              </p>
            )}
          </li>
        ))}
      </ul>
      {changes.length > MOST && <p className="text-ink-2">{text('edit.more', { n: changes.length - MOST })}</p>}
    </>
  )
}

function shown(value: unknown): string {
  const whole = typeof value === 'string' ? value : JSON.stringify(value)
  return whole.length > MAX_CHARACTERS ? `${whole.slice(0, MAX_CHARACTERS)}…` : whole
}
