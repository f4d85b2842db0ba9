import { FailoverPage } from '@/components/failover/failover-page'

export default function Page() {
  return <FailoverPage />
}
