import type { QueueView } from '@/lib/view/queue-model'
import { Table, Td, Th } from '../ui/table'
import { QuotaBar, ShareBar } from './bars'
import { shareScale, tellingAmounts } from './queue-list'
import { formatAmount, resourceWord, shareSentence, shareWords } from './queue-words'

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
        <span className="font-normal text-ink-2"> / {shareWords(share.fair)}</span>
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
            <tr
              key={amount.resource}
              data-testid="quota-row"
              data-resource={amount.resource}
              data-used={amount.used}
              data-quota={amount.quota}
              data-borrowed={amount.borrowed}
            >
              <Td className="pl-0 font-medium">{resourceWord(amount.resource)}</Td>
              <Td figure>{formatAmount(amount.resource, amount.used)}</Td>
              <Td figure>
                {amount.quota === undefined ? (
                  <span className="text-ink-2">no limit</span>
                ) : (
                  formatAmount(amount.resource, amount.quota)
                )}
              </Td>
              <Td figure>
                {amount.borrowed > 0 ? (
                  <span className="font-medium">{formatAmount(amount.resource, amount.borrowed)}</span>
                ) : (
                  <span className="text-ink-2">—</span>
                )}
              </Td>
              <Td>{amount.quota !== undefined && <QuotaBar amount={amount} />}</Td>
            </tr>
          ))}
        </tbody>
      </Table>
    </div>
  )
}
