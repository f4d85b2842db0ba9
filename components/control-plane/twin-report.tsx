'use client'
import { Suspense } from 'react'
import type { AboutView } from '@/lib/view/model'
import { AreaTexts } from '../messages/area-texts'
import { useText } from '../messages/use-text'
import { StateMark } from '../status/state-mark'
import { Table, Td, Th } from '../ui/table'

type Twin = NonNullable<AboutView['twin']>

/** Shows the source of the copied control plane, the missing parts, and whether its decisions match the source. */
export function TwinReport({ twin }: { twin: Twin }) {
  return (
    <Suspense fallback={null}>
      <AreaTexts area="twin">
        <Report twin={twin} />
      </AreaTexts>
    </Suspense>
  )
}

function Report({ twin }: { twin: Twin }) {
  const text = useText()
  const { source, takenAt, anonymised, counts, proof } = twin
  const { workloads, kept, percent, notCompared } = proof
  return (
    <section aria-label={text('twin.page.title')} data-testid="twin-report" data-kept={kept} data-workloads={workloads}>
      <h2 className="text-section">{text('twin.page.title')}</h2>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6">
        <dt className="text-ink-2">{text('twin.page.source')}</dt>
        <dd className="mono min-w-0 break-words">{source}</dd>
        <dt className="text-ink-2">{text('twin.page.takenAt')}</dt>
        <dd className="min-w-0">{text.format.moment(takenAt)}</dd>
        <dt className="text-ink-2">{text('twin.page.anonymised')}</dt>
        <dd>{text(anonymised ? 'twin.page.hashed' : 'twin.page.plain')}</dd>
        <dt className="text-ink-2">{text('twin.page.content')}</dt>
        <dd>{text('twin.page.counts', counts)}</dd>
        <dt className="text-ink-2">{text('twin.page.proof')}</dt>
        <dd className="min-w-0">
          <p className="flex items-baseline gap-2">
            <StateMark state={kept === workloads ? 'ok' : 'warn'} />
            <span className="min-w-0">{text('twin.proof', { kept, workloads, percent })}</span>
          </p>
          {notCompared > 0 && <p className="text-ink-2">{text('twin.page.notCompared', { n: notCompared })}</p>}
        </dd>
      </dl>
      <Moved moved={proof.moved} />
      <Omissions omissions={twin.omissions} />
    </section>
  )
}

function Moved({ moved }: { moved: Twin['proof']['moved'] }) {
  const text = useText()
  if (moved.length === 0) return null
  return (
    <>
      <h3 className="pt-3 font-medium">{text('twin.page.moved')}</h3>
      <Table aria-label={text('twin.page.moved')}>
        <thead>
          <tr>
            <Th className="pl-0">{text('twin.page.workload')}</Th>
            <Th>{text('twin.page.reason')}</Th>
          </tr>
        </thead>
        <tbody>
          {moved.map(({ kind, namespace = '', name, reason }) => (
            <tr key={`${kind} ${namespace}/${name}`}>
              <Td className="pl-0">
                {kind} <span className="mono">{namespace === '' ? name : `${namespace}/${name}`}</span>
              </Td>
              <Td className="text-ink-2">{text.of(reason)}</Td>
            </tr>
          ))}
        </tbody>
      </Table>
    </>
  )
}

function Omissions({ omissions }: Pick<Twin, 'omissions'>) {
  const text = useText()
  if (omissions.length === 0) return <p className="pt-3 text-ink-2">{text('twin.page.complete')}</p>
  const sentences = omissions.map((omission) => text.of(omission))
  return (
    <>
      <h3 className="pt-3 font-medium">{text('twin.page.omissions')}</h3>
      <ul>
        {sentences.map((sentence) => (
          <li key={sentence} className="flex items-baseline gap-2">
            <StateMark state="warn" />
            <span className="min-w-0 break-words">{sentence}</span>
          </li>
        ))}
      </ul>
    </>
  )
}
