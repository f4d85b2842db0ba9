export interface Figure {
  /** Names it for tests. */
  name: string
  label: string
  value: number
}

/** Headline numbers with their words below. */
export function Figures({ figures, testId }: { figures: readonly Figure[]; testId: string }) {
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-2" data-testid={testId}>
      {figures.map(({ name, label, value }) => (
        <div key={name} className="flex flex-col-reverse">
          <dt className="text-label text-ink-2">{label}</dt>
          <dd className="text-figure" data-figure={name}>
            {value}
          </dd>
        </div>
      ))}
    </dl>
  )
}
