import type { ReactNode } from 'react'
import { useKindServed } from '../hooks/use-about'
import { Rich } from '../messages/rich'
import { useText } from '../messages/use-text'
import { EmptyState } from '../ui/empty-state'
import { Link } from '../ui/link'

interface IfServedProps {
  kind: string
  /** How the kind can be installed. Default: by the loops of the console. */
  body?: ReactNode
  /** Says that there is no such object. */
  children: ReactNode
}

/** What does not exist is not called deleted on a control plane that does not serve the kind at all. */
export function IfServed({ kind, body, children }: IfServedProps) {
  const text = useText()
  const served = useKindServed(kind)
  if (served) return children
  return (
    <EmptyState title={text('common.notServed', { kind })}>
      <p>{body ?? <Rich code="common.notServedBody" parts={{ flag: <code className="mono" /> }} />}</p>
      <p>
        <Link href="/control-plane" className="link">
          {text('common.servedKinds')}
        </Link>
      </p>
    </EmptyState>
  )
}
