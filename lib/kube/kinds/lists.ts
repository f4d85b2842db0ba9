/** The three ways in which lists of built-in kinds are merged by a patch. */
import { type Schema, array, string } from '../schema'

/** Returns a list that is replaced as a whole. */
export function atomicList<T>(items: Schema<T>): Schema<T[]> {
  return array(items, { 'x-kubernetes-list-type': 'atomic' })
}

/** A list whose items are merged by the value of `key`. `identity` holds all the keys that make an item unique. */
export function keyedList<T>(items: Schema<T>, key: string, identity: readonly string[] = [key]): Schema<T[]> {
  return array(items, {
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': identity,
    'x-kubernetes-patch-strategy': 'merge',
    'x-kubernetes-patch-merge-key': key,
  })
}

/** A keyed list whose items lose the fields that a patch does not name: one-of structures such as volumes. */
export function keyedUnionList<T>(items: Schema<T>, key: string): Schema<T[]> {
  return array(items, {
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': [key],
    'x-kubernetes-patch-strategy': 'merge,retainKeys',
    'x-kubernetes-patch-merge-key': key,
  })
}

/** A list without repeats, merged item by item. */
export function setOf<T>(items: Schema<T>): Schema<T[]> {
  return array(items, { 'x-kubernetes-list-type': 'set' })
}

/** Returns a list of strings that is replaced as a whole. */
export const atomicStrings = (): Schema<string[]> => atomicList(string())
