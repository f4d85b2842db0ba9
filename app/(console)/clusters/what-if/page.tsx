import { Question } from './question'

export default function Page() {
  return <Question />
}
