'use client'
import { useState } from 'react'
import { useText } from '../messages/use-text'
import { Manifest } from '../plan/manifest'
import { LabelledCheckbox } from '../ui/checkbox'
import { withoutNoise } from './without-noise'

/** Shows an object as YAML. Fields that the server manages, and the status, are hidden by default. */
export function YamlView({ object, label }: { object: unknown; label: string }) {
  const text = useText()
  const [isWhole, setIsWhole] = useState(false)
  return (
    <div className="flex flex-col gap-2">
      <LabelledCheckbox label={text('objects.whole')} checked={isWhole} onCheckedChange={setIsWhole} />
      <Manifest value={isWhole ? object : withoutNoise(object)} label={label} />
    </div>
  )
}
