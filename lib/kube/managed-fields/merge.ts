/** Merges an applied configuration into the live object. */
import { isFields } from '@/lib/std/fields'
import { ANY, definite, type FieldType, fieldType, itemType, type ListType, type MapType } from './field-type'
import { isVoid, itemsByElement } from './value'

/**
 * Merges `config` into `live`. No field is removed; where both have a leaf, that of `config` is used. Items of lists
 * take the order of `config`, and the other items keep their positions relative to them.
 */
export function mergeValues(live: unknown, config: unknown, type: FieldType): unknown {
  if (config === undefined) return live
  if (live === undefined) return config
  // Where no type says it, null is whatever the live value is.
  const own = definite(type, config === null ? live : config)
  if (own.form === 'scalar' || (isVoid(live) && isVoid(config))) return config
  if (own.form === 'list') return own.relation === 'atomic' ? config : mergeItems(live, config, own)
  return own.atomic ? config : mergeFields(live, config, own)
}

function mergeFields(live: unknown, config: unknown, type: MapType): unknown {
  if (!isFields(config)) return live
  if (!isFields(live)) return config
  const merged = new Map(Object.entries(live))
  for (const [name, value] of Object.entries(config)) {
    merged.set(name, mergeValues(merged.get(name), value, fieldType(type, name) ?? ANY))
  }
  return Object.fromEntries(merged)
}

function mergeItems(live: unknown, config: unknown, type: ListType): unknown {
  if (!Array.isArray(config)) return live
  if (!Array.isArray(live)) return config as unknown
  const items = itemType(type)
  const applied = new Map([...itemsByElement(config, type)].map(([element, [item]]) => [element, item]))
  const present = itemsByElement(live, type)
  return inOrder([...present.keys()], [...applied.keys()]).flatMap((element) => {
    const before = present.get(element) ?? []
    if (!applied.has(element)) return before
    return [mergeValues(before.length > 1 ? undefined : before[0], applied.get(element), items)]
  })
}

/**
 * Merges both lists of names: `applied` keeps its order, and each other name stays before the name that it preceded.
 */
function inOrder(present: readonly string[], applied: readonly string[]): string[] {
  const named = new Set(applied)
  const known = new Set(present)
  const shared = applied.filter((name) => known.has(name))
  const order = new Set<string>()
  for (let left = 0, right = 0, awaited = 0; left < present.length || right < applied.length;) {
    const [mine, theirs] = [present[left], applied[right]]
    const isShared = mine !== undefined && named.has(mine)
    if (isShared && theirs !== undefined && mine !== theirs && awaited < shared.length && shared[awaited] !== mine) {
      left++
      continue
    }
    if (mine !== undefined && !isShared) {
      order.add(mine)
      left++
      continue
    }
    if (mine === theirs || (mine !== undefined && order.has(mine))) left++
    if (theirs === undefined) continue
    order.add(theirs)
    right++
    if (shared[awaited] === theirs) awaited++
  }
  return [...order]
}
