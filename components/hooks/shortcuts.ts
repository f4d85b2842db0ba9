/** A key press as the matcher needs it. */
export interface KeyPress {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  /** True while the focus is where letters are text. */
  typing: boolean
  /** True while a dialog is open: keys are its business. */
  modal: boolean
}

export interface Binding {
  /** One key (`/`) or a sequence of two (`g f`); absent where only the list of commands has it. */
  keys?: string | undefined
  label: string
}

export interface Match {
  /** The binding that fires. */
  keys?: string
  /** The first key of a sequence, waiting for the second. */
  pending?: string
}

/**
 * Matches a key press, after `pending` the first key of a sequence. Never matches while the user types, while a dialog
 * is open, or with Ctrl, Alt or Meta held (those belong to the browser).
 */
export function matchShortcut(bindings: readonly Binding[], press: KeyPress, pending?: string): Match {
  if (press.typing || press.modal || press.ctrlKey || press.metaKey || press.altKey) return {}
  const keys = pending === undefined ? press.key : `${pending} ${press.key}`
  if (bindings.some((binding) => binding.keys === keys)) return { keys }
  if (pending === undefined && bindings.some((binding) => binding.keys?.startsWith(`${press.key} `)))
    return { pending: press.key }
  return {}
}
