import { SpreadPage } from '@/components/spread/spread-page'

export default function Page() {
  return <SpreadPage />
}
