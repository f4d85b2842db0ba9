'use client'
import { useRouter } from 'next/navigation'
import { type ReactNode, useState } from 'react'
import { CommandsProvider } from '../commands/commands-provider'
import { useCommand } from '../hooks/use-shortcuts'
import { useText } from '../messages/use-text'
import { SessionGuard } from '../login/session-guard'
import { FailoverBanner } from './failover-banner'
import { SECTIONS } from './sections'
import { closedPart } from '../ui/later-part'
import { Sidebar } from './sidebar'
import { UpdateBanner } from './update-banner'

const Notices = closedPart(() => import('../notices/notices').then((code) => code.Notices))
const DrillBar = closedPart(() => import('../drill/drill-bar').then((code) => code.DrillBar))
const TwinBanner = closedPart(() => import('./twin-banner').then((code) => code.TwinBanner))
const ShortcutHelp = closedPart(() => import('./shortcut-help').then((code) => code.ShortcutHelp))

/** The frame of every page: skip link, sidebar, keys that work everywhere. */
export function Shell({ children }: { children: ReactNode }) {
  const [help, setHelp] = useState(false)
  const text = useText()
  useCommand({ keys: '?', label: text('shell.keyboard'), kind: 'console', run: () => setHelp(true) })
  return (
    <div className="flex h-dvh flex-col wide:flex-row">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:z-40 focus:rounded-control focus:bg-paper focus:px-3 focus:py-1"
      >
        {text('shell.skipToContent')}
      </a>
      {SECTIONS.map(({ id, path, keys }) => (
        <GoTo key={id} path={path} keys={keys} page={text(`shell.section.${id}`)} />
      ))}
      <GoTo path="/workloads" keys="g w" page={text('shell.workloadTable')} />
      <SessionGuard />
      <Sidebar onHelp={() => setHelp(true)} />
      <div className="flex min-h-0 min-w-0 grow flex-col">
        <TwinBanner />
        <UpdateBanner />
        <FailoverBanner />
        <CommandsProvider>{children}</CommandsProvider>
        <DrillBar />
      </div>
      <Notices />
      <ShortcutHelp open={help} onClose={() => setHelp(false)} />
    </div>
  )
}

/** Binds the keys of one page. */
function GoTo({ path, keys, page }: { path: string; keys: string; page: string }) {
  const router = useRouter()
  const text = useText()
  useCommand({ keys, label: text('shell.goTo', { page }), kind: 'place', run: () => router.push(path) })
  return null
}
