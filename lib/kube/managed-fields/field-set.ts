/**
 * Sets of fields in the form of the API (`FieldsV1`): a tree of path elements, in which an empty object is a field of
 * the set and `.` marks a field of the set that has other fields below it. Sets are immutable.
 */
export interface FieldSet {
  readonly [element: string]: FieldSet
}

/** A field of the set with nothing below it; as a whole set, the one without fields. */
export const LEAF: FieldSet = Object.freeze({})

/** The element that stands for the field itself. */
export const SELF = '.'

type Building = Record<string, FieldSet>

/** True for a set without fields. */
export function isEmpty(set: FieldSet): boolean {
  for (const element in set) if (element !== SELF) return false
  return true
}

/** True when the field at this node of a set is itself in the set. */
export function holdsItself(node: FieldSet): boolean {
  return SELF in node || isEmpty(node)
}

/** Returns a node with the given children, which is in the set when `member`; undefined for an empty one. */
export function nodeOf(member: boolean, below: FieldSet | undefined): FieldSet | undefined {
  if (below === undefined || isEmpty(below)) return member ? LEAF : undefined
  if (member === SELF in below) return below
  if (member) return { [SELF]: LEAF, ...below }
  const { [SELF]: _, ...rest } = below
  return rest
}

/** The fields of either set. */
export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || isEmpty(b)) return a
  if (isEmpty(a)) return b
  const out: Building = { ...a }
  for (const element in b) {
    const other = b[element]!
    const own = a[element]
    out[element] = own === undefined ? other : join(own, other)
  }
  return out
}

/** The fields of any of the sets: united in pairs, so that many small sets do not copy a growing one each. */
export function unionOf(sets: readonly FieldSet[]): FieldSet {
  if (sets.length < 3) return sets.reduce(union, LEAF)
  const middle = sets.length >> 1
  return union(unionOf(sets.slice(0, middle)), unionOf(sets.slice(middle)))
}

function join(a: FieldSet, b: FieldSet): FieldSet {
  return nodeOf(holdsItself(a) || holdsItself(b), union(a, b))!
}

/** The fields that both sets have. */
export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  return combine(
    a,
    b,
    (own, other) => other && nodeOf(holdsItself(own) && holdsItself(other), intersection(own, other)),
  )
}

/** Returns the fields of `a` that are not in `b`. A field stays when only fields below it, or above it, are in `b`. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  return combine(a, b, (own, other) =>
    other ? nodeOf(holdsItself(own) && !holdsItself(other), difference(own, other)) : own,
  )
}

/** Returns the fields of `a` that are neither in `b` nor below a field of `b`. */
export function differenceBelow(a: FieldSet, b: FieldSet): FieldSet {
  return combine(a, b, (own, other) => {
    if (!other) return own
    return holdsItself(other) ? undefined : nodeOf(holdsItself(own), differenceBelow(own, other))
  })
}

type Combination = (own: FieldSet, other: FieldSet | undefined) => FieldSet | undefined

function combine(a: FieldSet, b: FieldSet, choose: Combination): FieldSet {
  const out: Building = {}
  let changed = false
  for (const element in a) {
    if (element === SELF) continue
    const own = a[element]!
    const chosen = choose(own, b[element])
    if (chosen !== undefined) out[element] = chosen
    changed ||= chosen !== own
  }
  return changed ? out : a
}

/** True when the field under these elements is in the set. */
export function has(set: FieldSet, path: readonly string[]): boolean {
  let node: FieldSet | undefined = set
  for (const element of path) {
    node = node[element]
    if (node === undefined) return false
  }
  return holdsItself(node)
}

/** The set of these fields. */
export function setOf(...paths: readonly (readonly string[])[]): FieldSet {
  return paths.map(singleton).reduce(union, LEAF)
}

function singleton(path: readonly string[]): FieldSet {
  return path.reduceRight<FieldSet>((below, element) => ({ [element]: below }), LEAF)
}

/** Returns elements in the order in which the API shows them. */
type Sort = (elements: readonly string[]) => string[]

const inOrder = new WeakSet<FieldSet>()

/** The same set with its fields in the order in which the API shows them; looked at once. */
export function sorted(set: FieldSet, sort: Sort): FieldSet {
  if (set === LEAF || inOrder.has(set)) return set
  const out = arranged(set, sort)
  inOrder.add(out)
  return out
}

function arranged(set: FieldSet, sort: Sort): FieldSet {
  if (set === LEAF) return set
  const out: Building = {}
  if (SELF in set) out[SELF] = LEAF
  for (const element of sort(elementsOf(set))) out[element] = arranged(set[element]!, sort)
  return out
}

function elementsOf(set: FieldSet): string[] {
  return Object.keys(set).filter((element) => element !== SELF)
}

/** Returns the paths of all fields, each node before its children, in the order of `sort`. */
export function pathsOf(set: FieldSet, sort: Sort): string[][] {
  const elements = sort(elementsOf(set))
  const members = elements.filter((element) => holdsItself(set[element]!)).map((element) => [element])
  const deeper = elements.flatMap((element) => pathsOf(set[element]!, sort).map((path) => [element, ...path]))
  return [...members, ...deeper]
}
