import { ControlPlanePage } from '@/components/control-plane/control-plane-page'

export default function Page() {
  return <ControlPlanePage />
}
