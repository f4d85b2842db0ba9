import { ActivityPage } from '@/components/activity/activity-page'

export default function Page() {
  return <ActivityPage />
}
