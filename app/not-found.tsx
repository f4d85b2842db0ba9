import { EmptyState } from '@/components/ui/empty-state'
import { Link } from '@/components/ui/link'

export default function NotFound() {
  return (
    <main>
      <title>Not found · Evenkeel</title>
      <EmptyState level={1} title="There is no such page">
        <p>
          The address may be old or mistyped.{' '}
          <Link href="/fleet" className="link">
            Go to Fleet
          </Link>
        </p>
      </EmptyState>
    </main>
  )
}
