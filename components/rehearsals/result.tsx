'use client'
import type { RehearsalResultView, RehearsalView } from '@/lib/view/rehearsal-model'
import { nameOfId } from '@/lib/view/workload-id'
import { href } from '../hooks/url-state'
import { useUrlState } from '../hooks/use-url-state'
import { useText } from '../messages/use-text'
import { StateMark } from '../status/state-mark'
import { InsetTable } from '../ui/inset-table'
import { Link } from '../ui/link'
import { Td, Th } from '../ui/table'
import { Tabs } from '../ui/tabs'
import { CourseTable, StepTable } from './course-table'
import { Lanes } from './lanes'
import { assertionName, workloadName } from './words'

interface ResultProps {
  run: RehearsalView
  result: RehearsalResultView
}

/** What a rehearsal has shown, the picture first. */
export function Result({ run, result }: ResultProps) {
  const text = useText()
  const { get, tweak } = useUrlState()
  const view = get('view') === 'table' ? 'table' : 'picture'
  const { clusters, workloads, settledMs, incomplete } = result
  return (
    <>
      <p className="max-w-4xl text-ink-2">
        {text('rehearsals.summary', {
          clusters,
          workloads,
          duration: { ms: run.durationMs },
          settled: { ms: settledMs },
        })}{' '}
        {incomplete.count > 0
          && text('rehearsals.incomplete', { count: incomplete.count, names: incomplete.names.slice(0, SHOWN) })}
      </p>
      <Tabs
        label={text('rehearsals.picture.view')}
        value={view}
        onChange={(next) => tweak({ view: next === 'table' ? next : undefined })}
        items={[
          {
            value: 'picture',
            label: text('rehearsals.picture.picture'),
            content: <Lanes durationMs={run.durationMs} result={result} />,
          },
          {
            value: 'table',
            label: text('rehearsals.picture.table'),
            content: (
              <div className="flex flex-col gap-6">
                <CourseTable durationMs={run.durationMs} course={result.course} />
                <StepTable steps={result.steps} />
              </div>
            ),
          },
        ]}
      />
      <Assertions assertions={result.assertions} />
      <Recorded run={run} result={result} />
      <Loads loads={result.loads} />
      <Moves moves={result.moves} total={result.movesTotal} />
      <Copy result={result} />
    </>
  )
}

/** Of long lists in a sentence. */
const SHOWN = 5

function Assertions({ assertions }: Pick<RehearsalResultView, 'assertions'>) {
  const text = useText()
  return (
    <section aria-label={text('rehearsals.assertions.title')} className="flex min-w-0 flex-col gap-2">
      <h2 className="text-section">{text('rehearsals.assertions.title')}</h2>
      <InsetTable aria-label={text('rehearsals.assertions.title')} data-testid="assertions">
        <thead>
          <tr>
            <Th className="pl-0">{text('rehearsals.assertions.name')}</Th>
            <Th>{text('rehearsals.assertions.verdict')}</Th>
            <Th figure>{text('rehearsals.assertions.judged')}</Th>
            <Th>{text('rehearsals.assertions.evidence')}</Th>
          </tr>
        </thead>
        <tbody>
          {assertions.map((assertion, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- two assertions may have one name
            <AssertionRow key={index} assertion={assertion} />
          ))}
        </tbody>
      </InsetTable>
    </section>
  )
}

function AssertionRow({ assertion }: { assertion: RehearsalResultView['assertions'][number] }) {
  const text = useText()
  const { kind, passed, judged, breaches, evidence } = assertion
  const shown = evidence.slice(0, SHOWN)
  return (
    <tr data-kind={kind} data-passed={passed}>
      <Td className="max-w-80 pl-0 align-top break-words">{assertionName(text, assertion)}</Td>
      <Td className="align-top whitespace-nowrap">
        <StateMark
          state={passed ? (judged === 0 ? 'unknown' : 'ok') : 'fail'}
          word={text(
            passed
              ? judged === 0
                ? 'rehearsals.assertions.nothing'
                : 'rehearsals.assertions.holds'
              : 'rehearsals.assertions.fails',
          )}
        />
      </Td>
      <Td figure className="align-top">
        {text.format.count(judged)}
      </Td>
      <Td className="align-top">
        <ul>
          {shown.map((one, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- evidence has no other identity
            <li key={index} className="break-words" data-testid="evidence">
              {text('rehearsals.assertions.line', {
                at: { ms: one.atMs },
                subject: one.workload ? workloadName(one.workload) : (one.cluster ?? ''),
                what: one.message,
              })}
            </li>
          ))}
        </ul>
        {breaches > shown.length && (
          <p className="text-ink-2">{text('rehearsals.assertions.more', { n: breaches - shown.length })}</p>
        )}
      </Td>
    </tr>
  )
}

/** Links of a list before the rest is counted. */
const MAX_LINKS = 24

/** Incidents and plans of the copy, each with its page. */
function Recorded({ run: { id }, result: { incidents, plans } }: ResultProps) {
  const text = useText()
  const shown = incidents.slice(0, MAX_LINKS)
  return (
    <section aria-label={text('rehearsals.recorded.title')} className="flex min-w-0 flex-col gap-2">
      <h2 className="text-section">{text('rehearsals.recorded.title')}</h2>
      {incidents.length + plans.length === 0 && <p className="text-ink-2">{text('rehearsals.recorded.none')}</p>}
      <ul className="flex flex-wrap gap-x-6 gap-y-1" data-testid="recorded">
        {shown.map((incident, n) => (
          <li key={`${incident.cluster} ${incident.workload} ${incident.atMs}`} className="max-w-full break-words">
            <Link href={href.rehearsedIncident(id, n, incident)} className="link">
              {incident.workload === undefined
                ? incident.cluster
                : text('common.inCluster', { cluster: incident.cluster, reason: nameOfId(incident.workload) })}
            </Link>{' '}
            {text('rehearsals.recorded.at', { at: { ms: incident.atMs } })}
          </li>
        ))}
        {plans.map(({ name, phase }) => (
          <li key={name} className="max-w-full break-words">
            <Link href={href.rehearsedPlan(id, name)} className="link">
              {name}
            </Link>{' '}
            {text(`plan.phase.${phase}`)}
          </li>
        ))}
      </ul>
      {incidents.length > shown.length && (
        <p className="text-ink-2">{text('rehearsals.recorded.more', { n: incidents.length - shown.length })}</p>
      )}
    </section>
  )
}

/** Rows of the table of load: the fullest clusters. */
const MAX_LOADS = 24

function Loads({ loads }: Pick<RehearsalResultView, 'loads'>) {
  const text = useText()
  const shown = loads.toSorted((a, b) => b.highest.share - a.highest.share).slice(0, MAX_LOADS)
  return (
    <section aria-label={text('rehearsals.load.title')} className="flex min-w-0 flex-col gap-2">
      <h2 className="text-section">{text('rehearsals.load.title')}</h2>
      <p className="text-ink-2">{text('rehearsals.load.hint')}</p>
      <InsetTable aria-label={text('rehearsals.load.title')} data-testid="loads">
        <thead>
          <tr>
            <Th className="pl-0">{text('rehearsals.table.cluster')}</Th>
            <Th figure>{text('rehearsals.load.before')}</Th>
            <Th figure>{text('rehearsals.load.highest')}</Th>
            <Th figure>{text('rehearsals.load.highestAt')}</Th>
            <Th figure>{text('rehearsals.load.after')}</Th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ cluster, before, highest, after }) => (
            <tr key={cluster} data-cluster={cluster}>
              <Td className="max-w-64 truncate pl-0 font-medium" title={cluster}>
                {cluster}
              </Td>
              <Td figure>{text.format.share(before)}</Td>
              <Td figure>{text(`rehearsals.load.${highest.resource}`, { share: { share: highest.share } })}</Td>
              <Td figure>{text.format.duration(highest.atMs)}</Td>
              <Td figure>{after === undefined ? text('rehearsals.load.away') : text.format.share(after)}</Td>
            </tr>
          ))}
        </tbody>
      </InsetTable>
      {loads.length > shown.length && (
        <p className="text-ink-2">{text('rehearsals.load.more', { n: loads.length - shown.length })}</p>
      )}
    </section>
  )
}

/** Rows of a table before the rest is counted. */
const MAX_MOVES = 200

function Moves({ moves, total }: { moves: RehearsalResultView['moves']; total: number }) {
  const text = useText()
  const shown = moves.slice(0, MAX_MOVES)
  return (
    <section aria-label={text('rehearsals.moves.title')} className="flex min-w-0 flex-col gap-2">
      <h2 className="text-section">{text('rehearsals.moves.title')}</h2>
      {total === 0 ? (
        <p className="text-ink-2">{text('rehearsals.moves.none')}</p>
      ) : (
        <InsetTable aria-label={text('rehearsals.moves.title')} data-testid="moves">
          <thead>
            <tr>
              <Th className="pl-0">{text('rehearsals.moves.workload')}</Th>
              <Th>{text('rehearsals.moves.before')}</Th>
              <Th>{text('rehearsals.moves.after')}</Th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ workload, before, after }) => (
              <tr key={`${workload.kind} ${workloadName(workload)}`} data-workload={workloadName(workload)}>
                <Td className="max-w-64 truncate pl-0" title={workloadName(workload)}>
                  {workloadName(workload)}
                </Td>
                <Td>
                  <Places places={before} />
                </Td>
                <Td>
                  <Places places={after} />
                </Td>
              </tr>
            ))}
          </tbody>
        </InsetTable>
      )}
      {total > shown.length && (
        <p className="text-ink-2">{text('rehearsals.moves.more', { n: total - shown.length })}</p>
      )}
    </section>
  )
}

function Places({ places }: { places: RehearsalResultView['moves'][number]['before'] }) {
  const text = useText()
  if (places.length === 0) return text('rehearsals.moves.nowhere')
  return (
    <span className="break-words">{text.format.list(places.map((one) => text('rehearsals.moves.place', one)))}</span>
  )
}

/** Whether the copy decides as the original, and what is missing in it. */
function Copy({ result: { proof, omissions } }: Pick<ResultProps, 'result'>) {
  const text = useText()
  const { kept, workloads, percent, notCompared, moved } = proof
  return (
    <section aria-label={text('rehearsals.copy.title')} className="flex min-w-0 flex-col gap-2" data-testid="copy">
      <h2 className="text-section">{text('rehearsals.copy.title')}</h2>
      <p data-kept={kept} data-workloads={workloads}>
        {text('rehearsals.copy.proof', { kept, workloads, percent })}{' '}
        {notCompared > 0 && text('rehearsals.copy.notCompared', { n: notCompared })}
      </p>
      {moved.length > 0 && (
        <ul className="list-disc pl-5">
          {moved.slice(0, SHOWN).map(({ kind, namespace = '', name, reason }) => (
            <li key={`${kind} ${namespace} ${name}`} className="break-words">
              {text('rehearsals.copy.moved', { workload: workloadName({ namespace, name }), reason: text.of(reason) })}
            </li>
          ))}
        </ul>
      )}
      <h3 className="font-medium">{text('rehearsals.copy.omissions')}</h3>
      {omissions.length === 0 ? (
        <p className="text-ink-2">{text('rehearsals.copy.complete')}</p>
      ) : (
        <ul className="list-disc pl-5" data-testid="omissions">
          {omissions.map((omission) => (
            <li key={JSON.stringify(omission)} className="break-words">
              {text.of(omission)}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
