'use client'
import { useShortcuts } from '../hooks/use-shortcuts'
import { Dialog } from '../ui/dialog'
import { LabelledCheckbox } from '../ui/checkbox'

/** Keys that the grid and the dialogs handle themselves. */
const FIXED = [
  { keys: 'Ctrl K', label: 'Commands, pages and names (on a Mac ⌘ K); never switched off' },
  { keys: '← ↑ → ↓', label: 'Move in the matrix (also h j k l)' },
  { keys: 'Enter', label: 'Open what is focused' },
  { keys: 'Space', label: 'Select the focused row' },
  { keys: 'Esc', label: 'Close, or back out of a field' },
]

/** All keys of this page, and the switch that turns single keys off. */
export function ShortcutHelp({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { bindings, enabled, setEnabled } = useShortcuts()
  return (
    <Dialog open={open} onClose={onClose} title="Keyboard">
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1">
        {[...bindings.filter((binding) => binding.keys !== undefined), ...FIXED].map(({ keys, label }) => (
          <div key={`${keys} ${label}`} className="contents">
            <dt>
              <kbd className="rounded-control border border-line bg-raised px-1.5 mono">{keys}</kbd>
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
      <div className="mt-4 border-t border-line pt-3">
        <LabelledCheckbox
          label="Single-key shortcuts"
          checked={enabled}
          onCheckedChange={(checked) => setEnabled(checked === true)}
        />
        <p className="text-ink-2">Switch them off when they get in the way of speech input or other tools.</p>
      </div>
    </Dialog>
  )
}
