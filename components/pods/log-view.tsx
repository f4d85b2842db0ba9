'use client'
import { clsx } from 'clsx'
import { type ReactNode, useDeferredValue, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { PodView } from '@/lib/view/member-model'
import { useText } from '../messages/use-text'
import { KubectlBlock } from '../status/kubectl-block'
import { Button } from '../ui/button'
import { LabelledCheckbox } from '../ui/checkbox'
import { Choice } from '../ui/choice'
import { TextField } from '../ui/field'
import { type LogEntry, rowsOnScreen } from './log-buffer'
import { type LogSource, type LogState, useLog } from './use-log'

const ROW = 18
const TAILS = ['500', '5000', 'all'] as const

/** The log of a container: followed until the reader scrolls up, searched, with the container before. */
export function LogView({ cluster, pod }: { cluster: string; pod: PodView }) {
  const text = useText()
  const [container, setContainer] = useState(pod.containers[0]?.name ?? '')
  const [isPrevious, setIsPrevious] = useState(false)
  const [hasTimes, setHasTimes] = useState(false)
  const [tail, setTail] = useState<string>('500')
  const [search, setSearch] = useState('')
  const source = { cluster, namespace: pod.namespace, pod: pod.name, container, previous: isPrevious, tail }
  return (
    <div className="flex min-h-0 flex-col gap-2">
      <div className="flex flex-wrap items-end gap-x-3 gap-y-1">
        <Choice
          label={text('logs.container')}
          value={container}
          options={pod.containers.map(({ name, init }) => ({
            value: name,
            label: init ? text('logs.initContainer', { name }) : name,
          }))}
          onChange={setContainer}
        />
        <Choice
          label={text('logs.from')}
          value={tail}
          options={TAILS.map((value) => ({
            value,
            label: value === 'all' ? text('logs.all') : text('logs.last', { n: Number(value) }),
          }))}
          onChange={setTail}
        />
        <TextField
          label={text('logs.search')}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          className="min-w-32 grow"
        />
        <LabelledCheckbox label={text('logs.times')} checked={hasTimes} onCheckedChange={setHasTimes} />
        <LabelledCheckbox label={text('logs.previous')} checked={isPrevious} onCheckedChange={setIsPrevious} />
      </div>
      <Log key={JSON.stringify(source)} source={source} search={search} hasTimes={hasTimes} />
      <KubectlBlock label={text('logs.kubectl')} text={kubectlOf(source)} />
    </div>
  )
}

interface LogProps {
  source: LogSource
  search: string
  hasTimes: boolean
}

function Log({ source, search, hasTimes }: LogProps) {
  const log = useLog(source)
  const found = useFound(log.lines, search)
  return (
    <>
      <LogHeadline log={log} found={search === '' ? undefined : found.length} />
      <LogLines
        key={search}
        lines={found}
        total={log.total}
        search={search}
        hasTimes={hasTimes}
        isFollowing={!source.previous}
      />
    </>
  )
}

/** The same read with kubectl, through the cluster proxy. */
function kubectlOf({ cluster, namespace, pod, container, previous, tail }: LogSource): string {
  const query = new URLSearchParams({ container })
  if (previous) query.set('previous', 'true')
  if (tail !== 'all') query.set('tailLines', tail)
  const member = `/apis/cluster.karmada.io/v1alpha1/clusters/${cluster}/proxy`
  return `kubectl get --raw '${member}/api/v1/namespaces/${namespace}/pods/${pod}/log?${query.toString()}'`
}

function useFound(lines: readonly LogEntry[], search: string): readonly LogEntry[] {
  const wanted = useDeferredValue(search).toLowerCase()
  return useMemo(
    () => (wanted === '' ? lines : lines.filter(({ text }) => text.toLowerCase().includes(wanted))),
    [lines, wanted],
  )
}

function LogHeadline({ log, found }: { log: LogState; found: number | undefined }) {
  const text = useText()
  const dropped = log.total - log.lines.length
  return (
    <p
      className={clsx('flex flex-wrap gap-x-3 text-label text-ink-2', log.state === 'refused' && 'text-fail')}
      role={log.state === 'refused' ? 'alert' : undefined}
      data-testid="log-state"
      data-state={log.state}
    >
      <span>{text(`logs.state.${log.state}`)}</span>
      {log.problem !== undefined && <span>{log.problem}</span>}
      {found !== undefined && <span>{text('logs.found', { found, all: log.lines.length })}</span>}
      {dropped > 0 && <span>{text('logs.dropped', { n: dropped })}</span>}
    </p>
  )
}

interface LinesProps {
  lines: readonly LogEntry[]
  total: number
  search: string
  hasTimes: boolean
  isFollowing: boolean
}

/** Renders only the rows on screen. While the reader views older lines, the position does not change. */
function LogLines({ lines, total, search, hasTimes, isFollowing }: LinesProps) {
  const text = useText()
  const box = useRef<HTMLElement>(null)
  const [held, setHeld] = useState<{ lines: readonly LogEntry[]; total: number }>()
  const [view, setView] = useState({ top: 0, height: 320 })
  const shown = held?.lines ?? lines
  const [first, end] = rowsOnScreen(view.top, view.height, ROW, shown.length)
  useLayoutEffect(() => {
    if (!held && box.current) box.current.scrollTop = box.current.scrollHeight
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- each new line moves the end
  }, [held, shown])
  const onScroll = () => {
    const { scrollTop, clientHeight, scrollHeight } = box.current ?? { scrollTop: 0, clientHeight: 0, scrollHeight: 0 }
    setView({ top: scrollTop, height: clientHeight })
    const isAtEnd = scrollTop + clientHeight >= scrollHeight - ROW
    if (isAtEnd) setHeld(undefined)
    else if (!held) setHeld({ lines, total })
  }
  return (
    <div className="relative">
      <section
        ref={box}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard
        tabIndex={0}
        aria-label={text('logs.lines')}
        data-testid="log"
        data-following={held === undefined}
        className="h-[50vh] overflow-auto rounded-panel border border-line bg-raised"
        onScroll={onScroll}
      >
        <div className="relative w-max min-w-full" style={{ height: shown.length * ROW }}>
          {shown.slice(first, end).map((line, at) => (
            <div
              key={line.index}
              data-line={line.index}
              className={clsx('mono absolute px-3 leading-[18px] whitespace-pre', emphasis(line.text))}
              style={{ top: (first + at) * ROW, height: ROW }}
            >
              {hasTimes && line.at !== undefined && <span className="mr-2 text-ink-2">{clockOf(line.at)}</span>}
              <Marked line={line.text} search={search} />
            </div>
          ))}
        </div>
      </section>
      {held && isFollowing && (
        <Button className="absolute right-4 bottom-3" small onClick={() => setHeld(undefined)}>
          {text('logs.follow', { n: total - held.total })}
        </Button>
      )}
    </div>
  )
}

/** The level by weight, not by colour. */
const emphasis = (line: string): string | undefined =>
  /\b(WARN(ING)?|ERROR|FATAL|panic)\b/.test(line.slice(0, 200)) ? 'font-semibold' : undefined

/** The time of day with milliseconds, as the cluster wrote it. */
const clockOf = (at: string): string => at.slice(11, 23)

function Marked({ line, search }: { line: string; search: string }): ReactNode {
  if (search === '') return line
  const at = line.toLowerCase().indexOf(search.toLowerCase())
  if (at < 0) return line
  return (
    <>
      {line.slice(0, at)}
      <mark className="bg-amount-2 text-ink">{line.slice(at, at + search.length)}</mark>
      {line.slice(at + search.length)}
    </>
  )
}
