import { ApiPage } from '@/components/api-reference/api-page'

export default function Page() {
  return <ApiPage />
}
