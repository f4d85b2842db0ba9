'use client'
import type { Text } from '@/lib/messages'
import type { AboutView } from '@/lib/view/model'
import { useAbout } from '../hooks/use-about'
import { useCollection } from '../hooks/use-collection'
import { useText } from '../messages/use-text'
import { PageFrame } from '../shell/page-frame'
import { StateMark } from '../status/state-mark'
import { RetryButton } from '../ui/retry-button'
import { EmptyState } from '../ui/empty-state'
import { Link } from '../ui/link'
import { Notice } from '../ui/notice'
import { SkeletonRows } from '../ui/skeleton'
import { Table, Td, Th } from '../ui/table'
import { Receivers } from './receivers'
import { TwinReport } from './twin-report'

/** Shows what the console watches, which components it found, and which controllers it runs. */
export function ControlPlanePage() {
  const text = useText()
  const { freshness, loaded } = useCollection('clusters')
  const about = useAbout()
  return (
    <PageFrame
      title={text('shell.section.control-plane')}
      freshness={freshness}
      loaded={loaded}
      subline={about.data ? <span className="ml-2">{modeSentence(text, about.data)}</span> : null}
    >
      {about.data === undefined && about.error && (
        <EmptyState title={text('controlPlane.unavailable')}>
          <p>{about.error.message}</p>
          <p>
            <RetryButton error={about.error} onRetry={() => void about.refetch()} />
          </p>
        </EmptyState>
      )}
      {about.isPending && <SkeletonRows label={text('controlPlane.loading')} rows={8} />}
      {about.data && about.error && (
        <Notice state="warn">{text('controlPlane.stale', { reason: about.error.message })}</Notice>
      )}
      {about.data && <About about={about.data} />}
    </PageFrame>
  )
}

const modeSentence = (text: Text, { mode, server }: AboutView): string =>
  text(mode === 'embedded' ? 'controlPlane.embedded' : 'controlPlane.connected', { server })

function About({ about }: { about: AboutView }) {
  const text = useText()
  return (
    <div className="flex flex-col gap-6 px-6 py-4" data-testid="about" data-mode={about.mode}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6">
        <dt className="text-ink-2">{text('controlPlane.mode')}</dt>
        <dd>{about.mode}</dd>
        <dt className="text-ink-2">{text('controlPlane.server')}</dt>
        <dd className="mono">{about.server}</dd>
        <dt className="text-ink-2">{text('controlPlane.version')}</dt>
        <dd>{about.version ?? text('controlPlane.notReported')}</dd>
        <dt className="text-ink-2">{text('controlPlane.user')}</dt>
        <dd>{about.user ?? text('controlPlane.notReported')}</dd>
        <dt className="text-ink-2">API</dt>
        <dd>
          <Link href="/api-reference" className="link">
            {text('shell.apiReference')}
          </Link>
        </dd>
      </dl>
      {about.twin && <TwinReport twin={about.twin} />}
      {about.missing.length > 0 && (
        <section aria-label={text('controlPlane.missing')}>
          <h2 className="text-section">{text('controlPlane.missing')}</h2>
          <ul>
            {about.missing
              .map((sentence) => text.of(sentence))
              .map((sentence) => (
                <li key={sentence} className="flex items-center gap-2">
                  <StateMark state="warn" />
                  {sentence}
                </li>
              ))}
          </ul>
        </section>
      )}
      <Troubled troubled={about.troubled} />
      <Receivers />
      <Kinds kinds={about.kinds} />
      <Reconcilers reconcilers={about.reconcilers} />
    </div>
  )
}

/** Objects that a loop fails on are left alone with back-off, so that the others go on. */
function Troubled({ troubled }: Pick<AboutView, 'troubled'>) {
  const text = useText()
  if (troubled.length === 0) return null
  return (
    <section aria-label={text('controlPlane.failingObjects')} data-testid="failing-objects">
      <h2 className="text-section">{text('controlPlane.failingCount', { n: troubled.length })}</h2>
      <p className="text-ink-2">{text('controlPlane.failingMeaning')}</p>
      <Table aria-label={text('controlPlane.failingObjects')}>
        <thead>
          <tr>
            <Th className="pl-0">{text('controlPlane.object')}</Th>
            <Th>{text('controlPlane.controller')}</Th>
            <Th>{text('controlPlane.state')}</Th>
            <Th>{text('controlPlane.reason')}</Th>
            <Th>{text('controlPlane.nextRetry')}</Th>
          </tr>
        </thead>
        <tbody>
          {troubled.map(({ controller, key, kind, name, state, cause, failures, nextTryAt }) => (
            <tr key={`${controller}:${key}`} data-controller={controller} data-object={name} data-state={state}>
              <Td className="pl-0">
                {kind} <span className="mono">{name}</span>
              </Td>
              <Td>{controller}</Td>
              <Td>
                {state === 'skipped' ? (
                  <StateMark state="held" word={text('controlPlane.skipped')} />
                ) : (
                  <StateMark state="warn" word={text('controlPlane.failures', { n: failures })} />
                )}
              </Td>
              <Td className="text-ink-2">{cause}</Td>
              <Td className="mono">{nextTryText(text, { state, failures, nextTryAt })}</Td>
            </tr>
          ))}
        </tbody>
      </Table>
    </section>
  )
}

/** An operator's `--skip-objects` has no crash and does not expire when the object changes. */
function nextTryText(
  text: Text,
  {
    state,
    failures,
    nextTryAt,
  }: Pick<AboutView['troubled'][number], 'state' | 'failures'> & { nextTryAt?: string | undefined },
): string {
  if (nextTryAt !== undefined) return text.format.timeOfDay(nextTryAt)
  return text(state === 'skipped' && failures === 0 ? 'controlPlane.afterRestart' : 'controlPlane.afterChange')
}

function Kinds({ kinds }: Pick<AboutView, 'kinds'>) {
  const text = useText()
  const found = kinds.filter((kind) => kind.served && kind.readable).length
  return (
    <section aria-label={text('controlPlane.kinds')}>
      <h2 className="text-section">{text('controlPlane.kindsReadable', { found, all: kinds.length })}</h2>
      <Table aria-label={text('controlPlane.kinds')}>
        <thead>
          <tr>
            <Th className="pl-0">{text('controlPlane.kind')}</Th>
            <Th>{text('controlPlane.resource')}</Th>
            <Th>{text('controlPlane.state')}</Th>
            <Th>{text('controlPlane.note')}</Th>
          </tr>
        </thead>
        <tbody>
          {kinds.map((kind) => (
            <tr key={kind.resource} data-kind={kind.kind} data-served={kind.served}>
              <Td className="pl-0 font-medium">{kind.kind}</Td>
              <Td className="mono">{kind.resource}</Td>
              <Td>
                <KindMark {...kind} />
              </Td>
              <Td className="text-ink-2">{kind.note && text.of(kind.note)}</Td>
            </tr>
          ))}
        </tbody>
      </Table>
    </section>
  )
}

function KindMark({ served, readable, unknown }: AboutView['kinds'][number]) {
  const text = useText()
  if (unknown) return <StateMark state="unknown" word={text('controlPlane.unknown')} />
  if (!served) return <StateMark state="unknown" word={text('controlPlane.notServed')} />
  return readable ? (
    <StateMark state="ok" word={text('controlPlane.readable')} />
  ) : (
    <StateMark state="warn" word={text('controlPlane.notPermitted')} />
  )
}

function Reconcilers({ reconcilers }: Pick<AboutView, 'reconcilers'>) {
  const text = useText()
  return (
    <section aria-label={text('controlPlane.controllers')}>
      <h2 className="text-section">{text('controlPlane.controllers')}</h2>
      {reconcilers.length === 0 ? (
        <p className="text-ink-2">{text('controlPlane.noControllers')}</p>
      ) : (
        <ul className="grid gap-x-6 wide:grid-cols-2">
          {reconcilers.map(({ name, running, leader }) => (
            <li key={name} className="flex h-7 items-center gap-3 border-b border-line" data-reconciler={name}>
              <span className="grow font-medium">{name}</span>
              <StateMark
                state={running ? 'ok' : 'held'}
                word={text(running ? (leader ? 'controlPlane.leader' : 'controlPlane.standby') : 'controlPlane.off')}
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
