import { ClustersPage } from '@/components/clusters/clusters-page'

export default function Page() {
  return <ClustersPage />
}
