import { useText } from '../messages/use-text'

/** The parts of the page where they will be. */
export function ResilienceOutline() {
  const text = useText()
  return (
    <output aria-label={text('resilience.loading')} data-testid="skeleton" className="block">
      <div aria-hidden="true" className="flex h-24 items-center justify-between gap-8 border-b border-line px-6">
        <span className="h-6 w-1/2 rounded-control bg-sunken" />
        <span className="h-8 w-24 rounded-control bg-raised" />
      </div>
      <div aria-hidden="true" className="grid grid-cols-1 wide:grid-cols-[minmax(0,1fr)_26rem]">
        <div className="p-6 max-wide:hidden">
          <svg viewBox="0 0 100 100" className="h-96 max-w-full fill-raised">
            <path d="M0 0L100 100H0z" />
          </svg>
        </div>
        <div className="flex flex-col gap-6 border-l border-line p-6 max-wide:border-l-0">
          {[0, 1, 2].map((line) => (
            <span key={line} className="h-12 rounded-control bg-raised" />
          ))}
          <span className="h-40 rounded-control bg-raised" />
        </div>
      </div>
    </output>
  )
}
