import type { Family } from '../family'
import { accessFamilies } from './access'
import { definitionFamilies } from './definitions'
import { livingFamilies } from './living'
import { objectFamilies } from './objects'
import { readingFamilies } from './reading'
import { requestFamilies } from './requests'
import { statuses } from './statuses'

export const families: readonly Family[] = [
  ...objectFamilies,
  ...requestFamilies,
  ...readingFamilies,
  ...livingFamilies,
  statuses,
  ...definitionFamilies,
  ...accessFamilies,
]
