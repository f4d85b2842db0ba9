import { QueuePage } from '@/components/queues/queue-page'

export default function Page() {
  return <QueuePage />
}
