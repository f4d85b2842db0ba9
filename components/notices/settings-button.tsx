'use client'
import { Suspense } from 'react'
import { AreaTexts } from '../messages/area-texts'
import { useText } from '../messages/use-text'
import { Button } from '../ui/button'
import { showSettings } from './use-settings'

/** Opens the settings of notices, and closes the popover that it is in. */
export function SettingsButton({ popover }: { popover: string }) {
  return (
    <Suspense fallback={null}>
      <AreaTexts area="notices">
        <OpenButton popover={popover} />
      </AreaTexts>
    </Suspense>
  )
}

function OpenButton({ popover }: { popover: string }) {
  const text = useText()
  return (
    <Button popoverTarget={popover} popoverTargetAction="hide" onClick={() => showSettings(true)}>
      {text('notices.settings.open')}
    </Button>
  )
}
