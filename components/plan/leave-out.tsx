'use client'
import { useEffect, useRef } from 'react'
import type { FlowMove } from '@/lib/view/plan-flow/flow'
import { nameOfId } from '@/lib/view/workload-id'
import { useText } from '../messages/use-text'
import { Button } from '../ui/button'

interface LeaveOutMenuProps {
  move: FlowMove
  sentence: string
  onLeaveOut: (workload: string) => void
  onClose: () => void
}

const MAX_LISTED = 20

/** The workloads of a ribbon, each with the button that leaves it out. Takes the focus; Escape closes it alone. */
export function LeaveOutMenu({ move, sentence, onLeaveOut, onClose }: LeaveOutMenuProps) {
  const text = useText()
  const menu = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const before = document.activeElement
    menu.current?.querySelector('button')?.focus()
    // The drawer around it listens on the document, and would close as well.
    const leave = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !menu.current?.contains(document.activeElement)) return
      event.stopImmediatePropagation()
      onClose()
      if (before instanceof SVGElement || before instanceof HTMLElement) before.focus()
    }
    window.addEventListener('keydown', leave, true)
    return () => window.removeEventListener('keydown', leave, true)
    // It begins once: what it closes with does not change its meaning.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [])
  const rest = move.workloads.length - MAX_LISTED
  return (
    <div ref={menu} className="my-2 rounded-panel border border-line-strong px-3 py-2" data-testid="leave-out">
      <p className="mb-1 flex items-center gap-3 font-medium">
        <span className="min-w-0 grow">{sentence}</span>
        <Button onClick={onClose}>{text('planPicture.leaveOut.close')}</Button>
      </p>
      <ul className="flex flex-col gap-1">
        {move.workloads.slice(0, MAX_LISTED).map(({ id, replicas }) => {
          const workload = nameOfId(id)
          return (
            <li key={id} className="flex items-center gap-3">
              <span className="min-w-0 grow truncate">
                {text('planPicture.flow.workload', { workload, n: replicas })}
              </span>
              <Button
                aria-label={text('planPicture.leaveOut.one', { workload })}
                data-workload={id}
                onClick={() => {
                  onLeaveOut(id)
                  // Its own button goes; the focus stays in the menu.
                  menu.current?.querySelector('button')?.focus()
                }}
              >
                {text('planPicture.leaveOut.action')}
              </Button>
            </li>
          )
        })}
      </ul>
      {rest > 0 && <p className="text-ink-2">{text('planPicture.flow.more', { n: rest })}</p>}
    </div>
  )
}
