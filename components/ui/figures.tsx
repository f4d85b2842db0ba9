'use client'
import { useText } from '../messages/use-text'
import { Link } from './link'

export interface Figure {
  /** Names it for tests. */
  name: string
  label: string
  value: number
  /** The list that it counts: an address, or `#id` of a part of this page. */
  href?: string
}

/** Headline numbers with their words below. */
export function Figures({ figures, testId }: { figures: readonly Figure[]; testId: string }) {
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-2" data-testid={testId}>
      {figures.map(({ name, label, value, href }) => (
        <div key={name} className="flex flex-col-reverse">
          <dt className="text-label text-ink-2">{label}</dt>
          <dd className="text-figure" data-figure={name}>
            <Value value={value} href={href} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Value({ value, href }: { value: number; href: string | undefined }) {
  const shown = useText().format.count(value)
  if (href === undefined) return shown
  const Anchor = href.startsWith('#') ? 'a' : Link
  return (
    <Anchor href={href} className="hover:underline">
      {shown}
    </Anchor>
  )
}
