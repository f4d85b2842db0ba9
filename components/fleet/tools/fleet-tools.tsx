'use client'
import { Bookmark, Download, X } from 'lucide-react'
import { type FormEvent, Suspense, useState } from 'react'
import { saveFile } from '../../hooks/save-file'
import { AreaTexts } from '../../messages/area-texts'
import { useText } from '../../messages/use-text'
import { useAnnounce } from '../../shell/announcer'
import { Button, IconButton } from '../../ui/button'
import { Link } from '../../ui/link'
import { Popover } from '../../ui/popover'
import type { useFleet } from '../use-fleet'
import { fleetCsv } from './csv'
import { fileName, matrixPng } from './exported-file'
import { MAX_NAME_LENGTH, readViews, type SavedView, viewOf, withView } from './saved-views'

const STORAGE_KEY = 'evenkeel.fleet.views'
const PANEL = 'w-72 animate-overlay rounded-panel border border-line bg-paper p-3 shadow-overlay'

interface FleetToolsProps {
  fleet: ReturnType<typeof useFleet>
}

/** Saved views and downloads. */
export function FleetTools({ fleet }: FleetToolsProps) {
  return (
    <Suspense fallback={null}>
      <AreaTexts area="fleetHeat">
        <SavedViews />
        <Downloads fleet={fleet} />
      </AreaTexts>
    </Suspense>
  )
}

function SavedViews() {
  const text = useText()
  return (
    <Popover
      label={text('fleetHeat.views')}
      className={PANEL}
      trigger={
        <IconButton label={text('fleetHeat.views')}>
          <Bookmark size={14} aria-hidden="true" />
        </IconButton>
      }
    >
      {() => <ViewList />}
    </Popover>
  )
}

/** The address is the view; a name is kept for it in this browser. */
function ViewList() {
  const text = useText()
  const announce = useAnnounce()
  const [views, setViews] = useState<readonly SavedView[]>(() => readViews(localStorage.getItem(STORAGE_KEY)))
  const [name, setName] = useState('')
  const keep = (next: readonly SavedView[]): void => {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(next))
    setViews(next)
  }
  const save = (event: FormEvent): void => {
    event.preventDefault()
    const next = withView(views, { name, search: viewOf(window.location.search) })
    announce(next === views ? text('fleetHeat.views.notSaved') : text('fleetHeat.views.saved', { name }))
    if (next === views) return
    keep(next)
    setName('')
  }
  return (
    <>
      <h2 className="text-section">{text('fleetHeat.views')}</h2>
      {views.length === 0 ? (
        <p className="py-1 text-ink-2">{text('fleetHeat.views.none')}</p>
      ) : (
        <ul className="max-h-72 overflow-auto py-1">
          {views.map((view) => (
            <li key={view.name} className="flex items-center gap-1" data-testid="saved-view">
              <Link
                href={`/fleet${view.search === '' ? '' : `?${view.search}`}`}
                className="link min-w-0 grow truncate py-1"
              >
                {view.name}
              </Link>
              <IconButton
                label={text('fleetHeat.views.delete', { name: view.name })}
                onClick={() => keep(views.filter((each) => each !== view))}
              >
                <X size={14} aria-hidden="true" />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <form onSubmit={save} className="flex items-end gap-2 border-t border-line pt-2">
        <label className="flex min-w-0 grow flex-col gap-0.5 text-label text-ink-2">
          {text('fleetHeat.views.name')}
          <input
            value={name}
            maxLength={MAX_NAME_LENGTH}
            onChange={(event) => setName(event.target.value)}
            className="h-7 w-full rounded-control border border-line-strong bg-paper px-2 text-body text-ink"
          />
        </label>
        <Button type="submit" disabled={name.trim() === ''}>
          {text('fleetHeat.views.save')}
        </Button>
      </form>
    </>
  )
}

function Downloads({ fleet }: FleetToolsProps) {
  const text = useText()
  const announce = useAnnounce()
  // A file saved before all data is loaded would be incomplete.
  const isPartial = !fleet.workloads.loaded || !fleet.clusters.loaded
  const saveCsv = (): void =>
    saveFile(
      new Blob([fleetCsv(fleet.shown, fleet.columns)], { type: 'text/csv;charset=utf-8' }),
      fileName(Date.now(), 'csv'),
    )
  const savePng = async (): Promise<void> => {
    const now = Date.now()
    const picture = await matrixPng(text, now)
    if (picture === undefined) announce(text('fleetHeat.export.noPicture'))
    else saveFile(picture, fileName(now, 'png'))
  }
  return (
    <Popover
      label={text('fleetHeat.export')}
      className="animate-overlay rounded-panel border border-line bg-paper p-2 shadow-overlay"
      trigger={
        <IconButton label={text('fleetHeat.export')}>
          <Download size={14} aria-hidden="true" />
        </IconButton>
      }
    >
      {(id) => (
        <div className="flex flex-col gap-1">
          <Button variant="quiet" popoverTarget={id} popoverTargetAction="hide" disabled={isPartial} onClick={saveCsv}>
            {text('fleetHeat.export.csv')}
          </Button>
          {fleet.isHeat && (
            <Button
              variant="quiet"
              popoverTarget={id}
              popoverTargetAction="hide"
              disabled={isPartial}
              onClick={() => void savePng()}
            >
              {text('fleetHeat.export.png')}
            </Button>
          )}
        </div>
      )}
    </Popover>
  )
}
