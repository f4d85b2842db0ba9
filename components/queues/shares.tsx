import type { AmountView, QueueView } from '@/lib/view/queue-model'
import { Table, Td, Th } from '../ui/table'
import { QuotaBar, ShareBar } from './bars'
import { shareScale, tellingAmounts } from './queue-list'
import { formatAmount, resourceWord, shareSentence, shareWords } from './queue-texts'

/** What the queue has of what queues share, and what it uses of its quota. */
export function Shares({ queue }: { queue: QueueView }) {
  return (
    <section aria-label="Share and quota" id="share" className="flex flex-col gap-2">
      <h2 className="text-section">Share and quota</h2>
      <FleetShare queue={queue} />
      <Quota queue={queue} />
    </section>
  )
}

function FleetShare({ queue }: { queue: QueueView }) {
  const { share } = queue
  if (share === undefined) return <p className="text-ink-2">Nothing that it released takes room.</p>
  return (
    <p
      className="flex flex-wrap items-center gap-2"
      data-testid="fleet-share"
      data-part={share.part}
      data-fair={share.fair}
    >
      <ShareBar share={share} scale={shareScale([queue])} width={160} />
      <span className="font-medium">
        {shareWords(share.part)}
        {share.fair !== undefined && <span className="font-normal text-ink-2"> / {shareWords(share.fair)}</span>}
      </span>
      <span>{shareSentence(share)}</span>
    </p>
  )
}

function Quota({ queue: { amounts } }: { queue: QueueView }) {
  if (amounts.length === 0) return <p>Without limit: no quota is set.</p>
  return (
    <div className="overflow-x-auto">
      <Table aria-label="Quota" className="max-w-3xl">
        <thead>
          <tr>
            <Th className="pl-0">Resource</Th>
            <Th figure>Used</Th>
            <Th figure>Quota</Th>
            <Th figure>Borrowed</Th>
            <Th>
              <span className="sr-only">Bar</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {tellingAmounts(amounts).map((amount) => (
            <QuotaRow key={amount.resource} amount={amount} />
          ))}
        </tbody>
      </Table>
    </div>
  )
}

function QuotaRow({ amount }: { amount: AmountView }) {
  const { resource, used, quota, borrowed } = amount
  return (
    <tr
      data-testid="quota-row"
      data-resource={resource}
      data-used={used}
      data-quota={quota}
      data-borrowed={borrowed}
    >
      <Td className="pl-0 font-medium">{resourceWord(resource)}</Td>
      <Td figure>{formatAmount(resource, used)}</Td>
      <Td figure>
        {quota === undefined ? <span className="text-ink-2">no limit</span> : formatAmount(resource, quota)}
      </Td>
      <Td figure>
        {borrowed > 0 ? (
          <span className="font-medium">{formatAmount(resource, borrowed)}</span>
        ) : (
          <span className="text-ink-2">—</span>
        )}
      </Td>
      <Td>{quota !== undefined && <QuotaBar amount={amount} />}</Td>
    </tr>
  )
}
