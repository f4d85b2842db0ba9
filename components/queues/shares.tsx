import type { AmountView, QueueView } from '@/lib/view/queue-model'
import { useText } from '../messages/use-text'
import { Table, Td, Th } from '../ui/table'
import { QuotaBar, ShareBar } from './bars'
import { byFullness, shareScale } from './queue-list'
import { formatAmount, resourceWord, shareSentence } from './queue-texts'

/** The part of shared resources that a queue uses, and its use of its quota. */
export function Shares({ queue }: { queue: QueueView }) {
  const text = useText()
  return (
    <section aria-label={text('queues.shares')} id="share" className="flex flex-col gap-2">
      <h2 className="text-section">{text('queues.shares')}</h2>
      <FleetShare queue={queue} />
      <Quota queue={queue} />
    </section>
  )
}

function FleetShare({ queue }: { queue: QueueView }) {
  const text = useText()
  const { share } = queue
  if (share === undefined) return <p className="text-ink-2">{text('queues.share.none')}</p>
  return (
    <p
      className="flex flex-wrap items-center gap-2"
      data-testid="fleet-share"
      data-part={share.part}
      data-fair={share.fair}
    >
      <ShareBar share={share} scale={shareScale([queue])} width={160} />
      <span className="font-medium">
        {text.format.share(share.part)}
        {share.fair !== undefined && <span className="font-normal text-ink-2"> / {text.format.share(share.fair)}</span>}
      </span>
      <span>{shareSentence(text, share)}</span>
    </p>
  )
}

function Quota({ queue: { amounts } }: { queue: QueueView }) {
  const text = useText()
  if (amounts.length === 0) return <p>{text('queues.quota.none')}</p>
  return (
    <div className="overflow-x-auto">
      <Table aria-label={text('queues.quota.label')} className="max-w-3xl">
        <thead>
          <tr>
            <Th className="pl-0">{text('queues.quota.resource')}</Th>
            <Th figure>{text('queues.quota.usedColumn')}</Th>
            <Th figure>{text('queues.quota.label')}</Th>
            <Th figure>{text('queues.quota.borrowed')}</Th>
            <Th>
              <span className="sr-only">{text('queues.quota.bar')}</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {byFullness(amounts).map((amount) => (
            <QuotaRow key={amount.resource} amount={amount} />
          ))}
        </tbody>
      </Table>
    </div>
  )
}

function QuotaRow({ amount }: { amount: AmountView }) {
  const text = useText()
  const { resource, used, quota, borrowed } = amount
  return (
    <tr data-testid="quota-row" data-resource={resource} data-used={used} data-quota={quota} data-borrowed={borrowed}>
      <Td className="pl-0 font-medium">{resourceWord(text, resource)}</Td>
      <Td figure>{formatAmount(text, resource, used)}</Td>
      <Td figure>
        {quota === undefined ? (
          <span className="text-ink-2">{text('queues.quota.unlimited')}</span>
        ) : (
          formatAmount(text, resource, quota)
        )}
      </Td>
      <Td figure>
        {borrowed > 0 ? (
          <span className="font-medium">{formatAmount(text, resource, borrowed)}</span>
        ) : (
          <span className="text-ink-2">—</span>
        )}
      </Td>
      <Td>{quota !== undefined && <QuotaBar amount={amount} />}</Td>
    </tr>
  )
}
