'use client'
import { formatNumberOf, formatTimeOfDay } from '@/lib/format'
import type { AboutView } from '@/lib/view/model'
import { useAbout } from '../hooks/use-about'
import { useCollection } from '../hooks/use-collection'
import { PageFrame } from '../shell/page-frame'
import { StateMark } from '../status/state-mark'
import { RetryButton } from '../ui/retry-button'
import { EmptyState } from '../ui/empty-state'
import { Link } from '../ui/link'
import { Notice } from '../ui/notice'
import { SkeletonRows } from '../ui/skeleton'
import { Table, Td, Th } from '../ui/table'

/** What this console looks at, what it found there, and what it runs itself. */
export function ControlPlanePage() {
  const { freshness, loaded } = useCollection('clusters')
  const about = useAbout()
  return (
    <PageFrame
      title="Control plane"
      freshness={freshness}
      loaded={loaded}
      subline={about.data && <span className="ml-2">{modeSentence(about.data)}</span>}
    >
      {about.data === undefined && about.error && (
        <EmptyState title="The control plane cannot be described now">
          <p>{about.error.message}</p>
          <p>
            <RetryButton error={about.error} onRetry={() => void about.refetch()} />
          </p>
        </EmptyState>
      )}
      {about.isPending && <SkeletonRows label="Asking what is there" rows={8} />}
      {about.data && about.error && (
        <Notice state="warn">This is what was found before; asking again failed: {about.error.message}</Notice>
      )}
      {about.data && <About about={about.data} />}
    </PageFrame>
  )
}

function modeSentence({ mode, server }: AboutView): string {
  return mode === 'embedded' ? `Embedded control plane with simulated members, at ${server}` : `Connected to ${server}`
}

function About({ about }: { about: AboutView }) {
  return (
    <div className="flex flex-col gap-6 px-6 py-4" data-testid="about" data-mode={about.mode}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6">
        <dt className="text-ink-2">Mode</dt>
        <dd>{about.mode}</dd>
        <dt className="text-ink-2">Server</dt>
        <dd className="mono">{about.server}</dd>
        <dt className="text-ink-2">Version</dt>
        <dd>{about.version ?? 'not reported'}</dd>
        <dt className="text-ink-2">As user</dt>
        <dd>{about.user ?? 'not reported'}</dd>
        <dt className="text-ink-2">API</dt>
        <dd>
          <Link href="/api-reference" className="link">
            What scripts may ask and order here
          </Link>
        </dd>
      </dl>
      {about.missing.length > 0 && (
        <section aria-label="What is missing">
          <h2 className="text-section">Missing here</h2>
          <ul>
            {about.missing.map((sentence) => (
              <li key={sentence} className="flex items-center gap-2">
                <StateMark state="warn" />
                {sentence}
              </li>
            ))}
          </ul>
        </section>
      )}
      <Troubled troubled={about.troubled} />
      <Kinds kinds={about.kinds} />
      <Reconcilers reconcilers={about.reconcilers} />
    </div>
  )
}

/** Objects that a loop fails on are left alone with back-off, so that the others go on. */
function Troubled({ troubled }: Pick<AboutView, 'troubled'>) {
  if (troubled.length === 0) return null
  return (
    <section aria-label="Failing objects" data-testid="failing-objects">
      <h2 className="text-section">{formatNumberOf(troubled.length, 'failing object')}</h2>
      <Table aria-label="Failing objects">
        <thead>
          <tr>
            <Th className="pl-0">Object</Th>
            <Th>Controller</Th>
            <Th>State</Th>
            <Th>Reason</Th>
            <Th>Next try</Th>
          </tr>
        </thead>
        <tbody>
          {troubled.map(({ controller, key, state, cause, failures, nextTryAt }) => (
            <tr key={`${controller}:${key}`} data-key={key}>
              <Td className="mono pl-0">{key}</Td>
              <Td>{controller}</Td>
              <Td>
                {state === 'skipped'
                  ? <StateMark state="held" word="Skipped" />
                  : <StateMark state="warn" word={`Failed ${formatNumberOf(failures, 'time')}`} />}
              </Td>
              <Td className="text-ink-2">{cause}</Td>
              <Td className="mono">{nextTryAt === undefined ? 'After a change' : formatTimeOfDay(nextTryAt)}</Td>
            </tr>
          ))}
        </tbody>
      </Table>
    </section>
  )
}

function Kinds({ kinds }: Pick<AboutView, 'kinds'>) {
  const found = kinds.filter((kind) => kind.served && kind.readable).length
  return (
    <section aria-label="Kinds">
      <h2 className="text-section">
        Kinds: {found} of {formatNumberOf(kinds.length, 'kind')} can be read
      </h2>
      <Table aria-label="Kinds">
        <thead>
          <tr>
            <Th className="pl-0">Kind</Th>
            <Th>Resource</Th>
            <Th>Found</Th>
            <Th>Note</Th>
          </tr>
        </thead>
        <tbody>
          {kinds.map((kind) => (
            <tr key={kind.resource} data-kind={kind.kind} data-served={kind.served}>
              <Td className="pl-0 font-medium">{kind.kind}</Td>
              <Td className="mono">{kind.resource}</Td>
              <Td>
                <KindMark served={kind.served} readable={kind.readable} />
              </Td>
              <Td className="text-ink-2">{kind.note}</Td>
            </tr>
          ))}
        </tbody>
      </Table>
    </section>
  )
}

function KindMark({ served, readable }: { served: boolean; readable: boolean }) {
  if (!served) return <StateMark state="unknown" word="Not served" />
  return readable ? <StateMark state="ok" word="Found" /> : <StateMark state="warn" word="Not allowed" />
}

function Reconcilers({ reconcilers }: Pick<AboutView, 'reconcilers'>) {
  return (
    <section aria-label="Reconcilers">
      <h2 className="text-section">Reconcilers of this process</h2>
      {reconcilers.length === 0 ? (
        <p className="text-ink-2">None: the control plane runs its own.</p>
      ) : (
        <ul className="grid gap-x-6 wide:grid-cols-2">
          {reconcilers.map(({ name, running, leader }) => (
            <li key={name} className="flex h-7 items-center gap-3 border-b border-line" data-reconciler={name}>
              <span className="grow font-medium">{name}</span>
              <StateMark
                state={running ? 'ok' : 'held'}
                word={running ? (leader ? 'Running, leads' : 'Running, stands by') : 'Off'}
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
