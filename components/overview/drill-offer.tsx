import { useText } from '../messages/use-text'
import { buttonClass } from '../ui/button'
import { Link } from '../ui/link'

/** In a simulation in which nothing happened yet: offers the drill. */
export function DrillOffer() {
  const text = useText()
  return (
    <div className="mt-3 border-t border-line pt-3" data-testid="drill-offer" data-chrome>
      <h3 className="text-section">{text('overview.drill.title')}</h3>
      <p className="py-1 text-ink-2">{text('overview.drill.intro')}</p>
      <Link href="/overview?drill=1" className={buttonClass('secondary')}>
        {text('overview.drill.start')}
      </Link>
    </div>
  )
}
