import { WhatIfPage } from '@/components/what-if/what-if-page'

export default function Page() {
  return <WhatIfPage />
}
