'use client'
import { useShortcuts } from '../hooks/use-shortcuts'
import { useText } from '../messages/use-text'
import { Dialog } from '../ui/dialog'
import { LabelledCheckbox } from '../ui/checkbox'

/** Keys that the grid and the dialogs handle themselves. */
const FIXED = [
  { keys: 'Ctrl K', code: 'shell.keys.commands' },
  { keys: '← ↑ → ↓', code: 'shell.keys.arrows' },
  { keys: 'Enter', code: 'shell.keys.enter' },
  { keys: 'Space', code: 'shell.keys.space' },
  { keys: 'Esc', code: 'shell.keys.escape' },
] as const

/** All keys of this page, and the switch that turns single keys off. */
export function ShortcutHelp({ open, onClose }: { open: boolean; onClose: () => void }) {
  const text = useText()
  const { bindings, enabled, setEnabled } = useShortcuts()
  const fixed = FIXED.map(({ keys, code }) => ({ keys, label: text(code) }))
  return (
    <Dialog open={open} onClose={onClose} title={text('shell.keyboard')}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1">
        {[...bindings.filter((binding) => binding.keys !== undefined), ...fixed].map(({ keys, label }) => (
          <div key={`${keys} ${label}`} className="contents">
            <dt>
              <kbd className="rounded-control border border-line bg-raised px-1.5 mono">{keys}</kbd>
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
      <div className="mt-4 border-t border-line pt-3">
        <LabelledCheckbox label={text('shell.singleKeys')} checked={enabled} onCheckedChange={setEnabled} />
        <p className="text-ink-2">{text('shell.singleKeysHint')}</p>
      </div>
    </Dialog>
  )
}
