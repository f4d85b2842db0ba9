'use client'
import { useCollection } from '../hooks/use-collection'
import { useText } from '../messages/use-text'
import { PageFrame } from '../shell/page-frame'
import { Trail, TRAILS } from '../shell/trail'
import { LaterNewPolicy } from './later-lab'

/** The placement lab with a policy that does not exist yet. */
export function NewPolicyPage() {
  const text = useText()
  const policies = useCollection('policies')
  return (
    <PageFrame
      title={<Trail parent={TRAILS.policies} name={text('policies.new.title')} />}
      documentTitle={text('policies.new.title')}
      freshness={policies.freshness}
      loaded={policies.loaded}
    >
      <div className="px-6 pt-2 pb-4">
        <LaterNewPolicy />
      </div>
    </PageFrame>
  )
}
