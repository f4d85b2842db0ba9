'use client'
import { Search } from 'lucide-react'
import { createContext, type ReactNode, useContext, useMemo, useState, useSyncExternalStore } from 'react'
import { useKeyDown } from '../hooks/use-key-down'
import { useCommand } from '../hooks/use-shortcuts'
import { useText } from '../messages/use-text'
import { Button } from '../ui/button'
import { closedPart } from '../ui/later-part'
import type { PaletteScope } from './command-palette'

const CommandPalette = closedPart(() => import('./command-palette').then((code) => code.CommandPalette))

const OpenContext = createContext<((scope: PaletteScope) => void) | undefined>(undefined)

/** Holds the command palette, and the keys that open it. */
export function CommandsProvider({ children }: { children: ReactNode }) {
  const text = useText()
  const [palette, setPalette] = useState<{ scope: PaletteScope; open: boolean }>({ scope: 'all', open: false })
  const show = useMemo(() => (scope: PaletteScope) => setPalette({ scope, open: true }), [])
  useCommand({ keys: '.', label: text('shell.commands.page'), kind: 'console', run: () => show('page') })
  useKeyDown((event) => {
    if (!isPaletteKey(event)) return
    event.preventDefault()
    setPalette(({ scope, open }) => ({ scope: open ? scope : 'all', open: !open }))
  })
  return (
    <OpenContext value={show}>
      {children}
      <CommandPalette
        scope={palette.scope}
        open={palette.open}
        onClose={() => setPalette({ ...palette, open: false })}
      />
    </OpenContext>
  )
}

/** Ctrl K or ⌘ K, nothing else held. */
function isPaletteKey({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === 'k' && ctrlKey !== metaKey && !altKey && !shiftKey
}

const never = () => () => undefined
const isMac = () => /mac|iphone|ipad/i.test(navigator.userAgent)

/** Opens the command palette; looks like a field to search in on wide screens. Nothing outside of the console's frame. */
export function CommandsButton() {
  const show = useContext(OpenContext)
  const text = useText()
  const onMac = useSyncExternalStore(never, isMac, () => false)
  if (show === undefined) return null
  return (
    <Button
      className="max-wide:border-transparent wide:px-2 wide:font-normal wide:text-ink-2"
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      title={text('shell.commands.title')}
      onClick={() => show('all')}
    >
      <Search size={14} aria-hidden="true" />
      <span className="max-wide:sr-only">{text('shell.commands.button')}</span>
      <kbd aria-hidden="true" className="mono ml-4 text-label max-wide:hidden">
        {onMac ? '⌘ K' : 'Ctrl K'}
      </kbd>
    </Button>
  )
}
