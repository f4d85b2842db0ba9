/** Label requirements (In, NotIn, Exists, DoesNotExist, Gt, Lt) as Kubernetes evaluates them. */

/** Asks a set of labels. */
export type LabelTest = (labels: Readonly<Record<string, string>>) => boolean

interface Requirement {
  key: string
  operator: string
  values?: readonly string[]
}

interface LabelSelector {
  matchLabels?: Readonly<Record<string, string>>
  matchExpressions?: readonly Requirement[]
}

const never: LabelTest = () => false
const qualifiedName = /^([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?\/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/
const labelValue = /^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/
const wholeNumber = /^[+-]?\d+$/

/** A `metav1.LabelSelector`: empty matches everything, an invalid one nothing. */
export function compileLabelSelector({ matchLabels = {}, matchExpressions = [] }: LabelSelector): LabelTest {
  const equalities = Object.entries(matchLabels).map(([key, value]) => ({ key, operator: 'In', values: [value] }))
  if (matchExpressions.some(({ operator }) => operator === 'Gt' || operator === 'Lt')) return never
  return compileRequirements([...equalities, ...matchExpressions])
}

/** All requirements together; one that is invalid makes nothing match. */
export function compileRequirements(requirements: readonly Requirement[]): LabelTest {
  const tests = requirements.map(compileRequirement)
  if (tests.includes(never)) return never
  return (labels) => tests.every((test) => test(labels))
}

function compileRequirement({ key, operator, values = [] }: Requirement): LabelTest {
  if (!qualifiedName.test(key) || !values.every((value) => labelValue.test(value))) return never
  switch (operator) {
    case 'In':
      return values.length === 0 ? never : (labels) => Object.hasOwn(labels, key) && values.includes(labels[key]!)
    case 'NotIn':
      return values.length === 0 ? never : (labels) => !Object.hasOwn(labels, key) || !values.includes(labels[key]!)
    case 'Exists':
      return values.length > 0 ? never : (labels) => Object.hasOwn(labels, key)
    case 'DoesNotExist':
      return values.length > 0 ? never : (labels) => !Object.hasOwn(labels, key)
    case 'Gt':
    case 'Lt':
      return compareWith(key, operator, values)
    default:
      return never
  }
}

function compareWith(key: string, operator: 'Gt' | 'Lt', values: readonly string[]): LabelTest {
  const [bound] = values
  if (values.length !== 1 || !wholeNumber.test(bound!)) return never
  return (labels) => {
    const value = Object.hasOwn(labels, key) ? labels[key] : undefined
    if (value === undefined || !wholeNumber.test(value)) return false
    return operator === 'Gt' ? BigInt(value) > BigInt(bound!) : BigInt(value) < BigInt(bound!)
  }
}
