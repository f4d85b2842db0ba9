import { href } from '../hooks/url-state'
import { useText } from '../messages/use-text'
import { StateMark } from '../status/state-mark'
import { CutText } from '../ui/cut-text'
import { InsetTable } from '../ui/inset-table'
import { NameLink } from '../ui/name-link'
import { Td, Th } from '../ui/table'
import { cpuText } from './cluster-sentence'
import type { RegionPicture } from './federation'

/** The picture of the federation as a table. */
export function ClusterTable({ regions }: { regions: readonly RegionPicture[] }) {
  const text = useText()
  return (
    <InsetTable aria-label={text('overview.federation.title')}>
      <thead>
        <tr>
          <Th className="pl-0">{text('overview.column.cluster')}</Th>
          <Th>{text('overview.column.region')}</Th>
          <Th>{text('overview.column.state')}</Th>
          <Th figure>{text('overview.column.ready')}</Th>
          <Th figure>{text('overview.column.starting')}</Th>
          <Th figure>{text('overview.column.cpu')}</Th>
        </tr>
      </thead>
      <tbody>
        {regions.flatMap((region) =>
          region.clusters.map(({ cluster, ready, desired, starting }) => (
            <tr key={cluster.name} className="row-hover" data-testid="cluster-row" data-cluster={cluster.name}>
              <Td className="pl-0">
                <NameLink href={href.cluster(cluster.name)} name={cluster.name} />
              </Td>
              <Td>{region.name === '' ? '—' : region.name}</Td>
              <Td>
                <span className="flex items-center gap-2">
                  <StateMark state={cluster.state.state} />
                  {cluster.state.state !== 'ok' && <CutText text={text.of(cluster.state.reason)} />}
                </span>
              </Td>
              <Td figure>{text('overview.federation.readyOf', { ready, desired })}</Td>
              <Td figure>{text.format.count(starting)}</Td>
              <Td figure>{cpuText(text, cluster)}</Td>
            </tr>
          )),
        )}
      </tbody>
    </InsetTable>
  )
}
