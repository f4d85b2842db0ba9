'use client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Text } from '@/lib/messages'
import { noticeReceiversNeeds, testReceiverNeeds } from '@/lib/view/needs'
import type { NoticeOutcome, NoticeReceiverView } from '@/lib/view/schemas/notices'
import { order, read } from '../hooks/actions'
import { useMay, useRightsAgain } from '../hooks/use-can'
import { useText } from '../messages/use-text'
import { useAnnounce } from '../shell/announcer'
import { Ago } from '../status/ago'
import { StateMark } from '../status/state-mark'
import { ActionError } from '../ui/action-error'
import { GuardedButton } from '../ui/guarded-button'
import { Table, Td, Th } from '../ui/table'

const PATH = '/api/v1/notice-receivers'
const KEY = ['notice-receivers']
const REFRESH_MS = 10_000

/** Lists the systems that receive incident notices, with the result of the last notice and a test. */
export function Receivers() {
  const text = useText()
  const right = useMay(noticeReceiversNeeds())
  const { data, error } = useQuery({
    queryKey: KEY,
    queryFn: () => read<{ receivers: NoticeReceiverView[] }>(PATH),
    refetchInterval: REFRESH_MS,
    enabled: right.known && right.allowed,
  })
  return (
    <section aria-label={text('controlPlane.receivers')} data-testid="receivers">
      <h2 className="text-section">{text('controlPlane.receivers')}</h2>
      {!right.allowed && <p className="text-ink-2">{right.reason}</p>}
      {error && <p className="text-fail">{error.message}</p>}
      {data?.receivers.length === 0 && <p className="text-ink-2">{text('controlPlane.noReceivers')}</p>}
      {data !== undefined && data.receivers.length > 0 && <ReceiverTable receivers={data.receivers} />}
    </section>
  )
}

function ReceiverTable({ receivers }: { receivers: readonly NoticeReceiverView[] }) {
  const text = useText()
  return (
    <Table aria-label={text('controlPlane.receivers')}>
      <thead>
        <tr>
          <Th className="pl-0">{text('controlPlane.receiver')}</Th>
          <Th>{text('controlPlane.server')}</Th>
          <Th>{text('controlPlane.waiting')}</Th>
          <Th>{text('controlPlane.lastResult')}</Th>
          <Th />
        </tr>
      </thead>
      <tbody>
        {receivers.map((receiver) => (
          <Row key={receiver.name} receiver={receiver} />
        ))}
      </tbody>
    </Table>
  )
}

function Row({ receiver: { name, type, host, waiting, last } }: { receiver: NoticeReceiverView }) {
  const text = useText()
  return (
    <tr data-receiver={name} data-result={last?.result}>
      <Td className="pl-0 font-medium">
        {name} <span className="text-ink-2">{type}</span>
      </Td>
      <Td className="mono break-all">{host}</Td>
      <Td>{text.format.count(waiting)}</Td>
      <Td>{last === undefined ? text('controlPlane.nothingSent') : <LastResult last={last} />}</Td>
      <Td>
        <TestButton name={name} />
      </Td>
    </tr>
  )
}

const MARKS = { sent: 'ok', retrying: 'warn', failed: 'fail' } as const

function LastResult({ last }: { last: NoticeOutcome }) {
  const text = useText()
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      <StateMark state={MARKS[last.result]} word={resultText(text, last)} />
      <span className="text-ink-2">
        <Ago time={last.at} />
      </span>
    </span>
  )
}

const resultText = (text: Text, { result, error }: NoticeOutcome): string =>
  error === undefined
    ? text(`controlPlane.result.${result}`)
    : text('controlPlane.result.because', { result: text(`controlPlane.result.${result}`), error })

function TestButton({ name }: { name: string }) {
  const text = useText()
  const announce = useAnnounce()
  const client = useQueryClient()
  const rightsAgain = useRightsAgain()
  const right = useMay(testReceiverNeeds(name))
  const test = useMutation({
    mutationFn: () => order<NoticeOutcome>(`${PATH}/${encodeURIComponent(name)}/test`, undefined),
    onSuccess: async (outcome) => {
      announce(text('controlPlane.tested', { name, result: resultText(text, outcome) }))
      await client.invalidateQueries({ queryKey: KEY })
    },
    onError: rightsAgain,
  })
  return (
    <>
      <GuardedButton
        right={right}
        disabled={test.isPending}
        aria-label={text('controlPlane.testReceiver', { name })}
        onClick={() => test.mutate()}
      >
        {text('controlPlane.test')}
      </GuardedButton>
      <ActionError error={test.error} />
    </>
  )
}
