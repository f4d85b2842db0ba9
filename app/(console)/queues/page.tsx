import { QueuesPage } from '@/components/queues/queues-page'

export default function Page() {
  return <QueuesPage />
}
