import type { ReplicaCounts } from '@/lib/view/model'

/** Replica counts as data attributes, for programs that read the page; zeros without counts. */
export function countAttributes(counts: ReplicaCounts | undefined) {
  return {
    'data-desired': counts?.desired ?? 0,
    'data-current': counts?.current ?? 0,
    'data-ready': counts?.ready ?? 0,
    'data-unknown': counts?.unknown ?? 0,
    'data-old': counts?.old ?? 0,
  }
}
