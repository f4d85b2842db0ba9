'use client'
import { useText } from '../messages/use-text'
import { EmptyState } from '../ui/empty-state'
import { Link } from '../ui/link'

export function NotFoundPage() {
  const text = useText()
  return (
    <main>
      <title>{text('shell.pageTitle', { page: text('shell.notFound.title') })}</title>
      <EmptyState level={1} title={text('shell.notFound.title')}>
        <p>
          {text('shell.notFound.body')}{' '}
          <Link href="/overview" className="link">
            {text('shell.notFound.link')}
          </Link>
        </p>
      </EmptyState>
    </main>
  )
}
