import { useText } from '../messages/use-text'

/** The parts of the page where they will be. */
export function OverviewOutline() {
  const text = useText()
  return (
    <output aria-label={text('overview.loading')} data-testid="skeleton" className="block">
      <div aria-hidden="true" className="flex h-24 items-center justify-between gap-8 px-6">
        <span className="h-6 w-1/2 rounded-control bg-sunken" />
        <span className="h-8 w-1/4 rounded-control bg-raised" />
      </div>
      <div aria-hidden="true" className="grid grid-cols-1 border-t border-line wide:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="flex gap-5 p-6">
          {[0, 1, 2].map((tile) => (
            <span key={tile} className="h-72 flex-1 rounded-panel bg-raised" />
          ))}
        </div>
        <div className="flex flex-col gap-4 border-l border-line p-4">
          {[0, 1, 2].map((line) => (
            <span key={line} className="h-8 rounded-control bg-raised" />
          ))}
        </div>
      </div>
    </output>
  )
}
