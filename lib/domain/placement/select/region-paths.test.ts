import { expect, test } from 'vitest'
import { chooseRegions } from './region-paths'
import type { Region, SelectionInput } from './selection'

const bounds = (minGroups: number, maxGroups: number) => ({ minGroups, maxGroups })
const input = (region: ReturnType<typeof bounds>): SelectionInput => ({
  candidates: [],
  replicas: 1,
  duplicated: false,
  cluster: bounds(0, 0),
  region,
})
const region = (name: string, score: number): Region => ({ name, score, clusters: [{}, {}] as Region['clusters'] })
const names = (regions: Region[]) => regions.map(({ name }) => name)

test('the best regions are chosen, best first', () => {
  const regions = [region('a', 1), region('b', 3), region('c', 2)]
  expect(names(chooseRegions(regions, input(bounds(2, 2))))).toEqual(['b', 'c'])
})

test('no more regions than needed are selected', () => {
  const regions = [region('a', 1), region('b', 3), region('c', 2)]
  expect(names(chooseRegions(regions, input(bounds(1, 3))))).toEqual(['b'])
})

test('with too many combinations the search ends with a result', () => {
  const regions = Array.from({ length: 40 }, (_, index) => region(`r${index}`, index))
  expect(chooseRegions(regions, input(bounds(20, 20)))).toHaveLength(20)
})
