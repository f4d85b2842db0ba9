'use client'
import { Download } from 'lucide-react'
import type { Replay } from '@/lib/view/incident/replay'
import { saveFile } from '../hooks/save-file'
import { useText } from '../messages/use-text'
import { Button } from '../ui/button'

/** Downloads the report of an incident as this user sees it; its code is loaded on demand. */
export function ExportButtons({ replay }: { replay: Replay }) {
  const text = useText()
  const save = async (format: 'html' | 'md'): Promise<void> => {
    const { htmlReport, markdownReport } = await import('./report')
    const content = (format === 'html' ? htmlReport : markdownReport)(text, replay, replay.now)
    const type = `text/${format === 'html' ? 'html' : 'markdown'};charset=utf-8`
    saveFile(new Blob([content], { type }), `${fileNameOf(replay)}.${format}`)
  }
  return (
    <>
      <Button onClick={() => void save('html')} data-testid="report-html">
        <Download size={14} aria-hidden="true" />
        {text('incident.export.html')}
      </Button>
      <Button onClick={() => void save('md')} data-testid="report-markdown">
        <Download size={14} aria-hidden="true" />
        {text('incident.export.markdown')}
      </Button>
    </>
  )
}

function fileNameOf({ record: { cluster = '', since } }: Replay): string {
  const name = cluster.replaceAll(/[^\w.-]/g, '-').slice(0, 80)
  return `incident-${name}-${since.slice(0, 19).replaceAll(':', '')}`
}
