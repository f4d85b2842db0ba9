'use client'
import type { PolicyView } from '@/lib/view/policy-model'
import { parsePolicyId } from '@/lib/view/policy-model'
import { href } from '../hooks/url-state'
import { useCollection } from '../hooks/use-collection'
import { useUrlState } from '../hooks/use-url-state'
import { useText } from '../messages/use-text'
import { IfLookedFor, Refused } from '../shell/list-body'
import { PageFrame } from '../shell/page-frame'
import { Trail, TRAILS } from '../shell/trail'
import { Ago } from '../status/ago'
import { StateMark } from '../status/state-mark'
import { EmptyState } from '../ui/empty-state'
import { Link } from '../ui/link'
import { SkeletonRows } from '../ui/skeleton'
import { Tabs } from '../ui/tabs'
import { ClusterBars } from './cluster-bars'
import { LaterLab, LaterSelection } from './later-lab'
import { selectorText } from './policy-texts'

/** One policy: what it selects, where that leads, and what an edit of its placement would do. */
export function PolicyPage() {
  const id = useUrlState().get('id') ?? ''
  const text = useText()
  const policies = useCollection('policies')
  const policy = policies.byId.get(id)
  const name = parsePolicyId(id)
  return (
    <PageFrame
      title={<Trail parent={TRAILS.policies} name={id} {...(policy && { kind: policy.kind })} />}
      documentTitle={id}
      freshness={policies.freshness}
      loaded={policies.loaded}
      subline={policy ? <StateSentence policy={policy} /> : null}
    >
      {policies.refused !== undefined && <Refused what="policies" of={policies} />}
      {policies.refused === undefined && !policies.loaded && <SkeletonRows label={text('policies.loading')} />}
      {policies.loaded && (policy === undefined || name === undefined) && (
        <IfLookedFor
          of={policies}
          kind={name?.namespace === undefined ? 'ClusterPropagationPolicy' : 'PropagationPolicy'}
        >
          <Gone id={id} />
        </IfLookedFor>
      )}
      {policy && <PolicyBody policy={policy} />}
    </PageFrame>
  )
}

function StateSentence({ policy: { state } }: { policy: PolicyView }) {
  const text = useText()
  return (
    <span
      className="ml-2 flex min-w-0 flex-wrap items-center gap-x-2"
      data-testid="policy-state"
      data-state={state.state}
    >
      <StateMark state={state.state} className="font-medium" />
      <span>{text.of(state.reason)}</span>
    </span>
  )
}

function Gone({ id }: { id: string }) {
  const text = useText()
  return (
    <EmptyState title={text('policies.gone', { id })}>
      <p>{text('policies.goneMeaning')}</p>
      <p>
        <Link href="/policies" className="link">
          {text('policies.all')}
        </Link>
      </p>
    </EmptyState>
  )
}

const VIEWS = ['rules', 'lab'] as const

function PolicyBody({ policy }: { policy: PolicyView }) {
  const text = useText()
  const { get, tweak } = useUrlState()
  const view = VIEWS.find((each) => each === get('view')) ?? 'rules'
  return (
    <div className="px-6 pt-2 pb-4">
      <Tabs
        label={text('policies.views')}
        value={view}
        onChange={(next) => tweak({ view: next === 'rules' ? undefined : next })}
        items={[
          { value: 'rules', label: text('policies.view.rules'), content: <Overview policy={policy} /> },
          { value: 'lab', label: text('policies.view.lab'), content: <LaterLab key={policy.id} id={policy.id} /> },
        ]}
      />
    </div>
  )
}

function Overview({ policy }: { policy: PolicyView }) {
  return (
    <div className="flex flex-col gap-6">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-6 wide:grid-cols-2">
        <Rules policy={policy} />
        <Leads policy={policy} />
      </div>
      <LaterSelection id={policy.id} />
    </div>
  )
}

/** What it selects and how it places, in words. */
function Rules({ policy }: { policy: PolicyView }) {
  const text = useText()
  const { selectors, placement, suspension, failover, priority, preempts, lazy, createdAt } = policy
  return (
    <section aria-label={text('policies.rules')}>
      <h2 className="text-section">{text('policies.rules')}</h2>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 break-words">
        <Fact term={text('policies.column.selects')} values={selectors.map((each) => selectorText(text, each))} />
        <Fact term={text('policies.column.placement')} values={placement.map(text.of)} />
        <Fact
          term={text('policies.column.priority')}
          values={[
            text('policies.priority', { priority, preempts: preempts ? 'Always' : 'Never' }),
            ...(lazy ? [text('policies.lazy')] : []),
          ]}
        />
        <Fact
          term={text('policies.suspension')}
          values={suspension.map(text.of)}
          none={text('policies.suspendedNot')}
        />
        <Fact term={text('policies.failover')} values={failover.map(text.of)} none={text('policies.failoverNone')} />
        <dt className="text-ink-2">{text('policies.created')}</dt>
        <dd>
          <Ago time={createdAt} />
        </dd>
      </dl>
    </section>
  )
}

function Fact({ term, values, none }: { term: string; values: readonly string[]; none?: string }) {
  return (
    <>
      <dt className="text-ink-2">{term}</dt>
      <dd className="min-w-0 break-words">
        {values.length === 0 ? (
          <span className="text-ink-2">{none}</span>
        ) : (
          <ul>
            {values.map((value) => (
              <li key={value}>{value}</li>
            ))}
          </ul>
        )}
      </dd>
    </>
  )
}

/** Shows the resulting replicas by cluster, and the drift. */
function Leads({ policy }: { policy: PolicyView }) {
  const text = useText()
  const { name, workloads, replicas, clusters, drifted, drift } = policy
  return (
    <section aria-label={text('policies.leads')}>
      <h2 className="text-section">{text('policies.leads')}</h2>
      <p>
        <Link href={href.workloads({ q: `policy=${name}` })} className="link">
          {text('policies.leadsTo', { workloads, replicas, n: clusters.length })}
        </Link>
      </p>
      <ClusterBars clusters={clusters} />
      {drift > 0 && (
        <p>
          <Link href={href.workloads({ q: `policy=${name} drift=yes` })} className="link">
            {text('policies.state.drifted', { n: drifted, replicas: drift })}
          </Link>
        </p>
      )}
    </section>
  )
}
