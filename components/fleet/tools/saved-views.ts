/** Named views of the fleet: addresses that the browser keeps. What is stored is checked when it is read. */
import { parseStored } from '../../hooks/stored-json'

export interface SavedView {
  name: string
  /** The query of the address. */
  search: string
}

/** What makes a view; selection, drawers and scrolling are no part of it. */
const PARAMETERS = new Set([
  'q',
  'state',
  'only',
  'group',
  'sort',
  'view',
  'density',
  'idle',
  'closed',
  'open',
  'folded',
  'unfolded',
])

export const MAX_VIEWS = 50
export const MAX_NAME_LENGTH = 60
const MAX_SEARCH_LENGTH = 2000

/** The part of a query that makes a view. */
export function viewOf(search: string): string {
  const kept = [...new URLSearchParams(search)].filter(([name]) => PARAMETERS.has(name))
  return new URLSearchParams(kept).toString()
}

/** The views that a text holds; anything in it that is none is left out. */
export function readViews(stored: string | null): SavedView[] {
  const list = parseStored(stored)
  if (!Array.isArray(list)) return []
  const views = list.flatMap((each) => readView(each) ?? [])
  return [...new Map(views.map((view) => [view.name, view])).values()].slice(0, MAX_VIEWS)
}

function readView(each: unknown): SavedView | undefined {
  if (typeof each !== 'object' || each === null) return undefined
  const { name, search } = each as Record<string, unknown>
  if (typeof name !== 'string' || typeof search !== 'string' || search.length > MAX_SEARCH_LENGTH) return undefined
  const cleaned = cleanName(name)
  return cleaned === '' ? undefined : { name: cleaned, search: viewOf(search) }
}

const cleanName = (name: string): string => name.trim().slice(0, MAX_NAME_LENGTH)

/**
 * Adds the view under its name, and replaces one of the same name. A view without a name, or above the limit, is
 * ignored.
 */
export function withView(views: readonly SavedView[], { name, search }: SavedView): readonly SavedView[] {
  const view = readView({ name, search })
  if (view === undefined) return views
  const others = views.filter((each) => each.name !== view.name)
  return others.length >= MAX_VIEWS ? views : [...others, view]
}
