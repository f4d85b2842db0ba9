'use client'
import { Languages } from 'lucide-react'
import { LOCALE_NAMES, LOCALES } from '@/lib/messages'
import { useLocaleChoice } from '../messages/use-locale-choice'
import { useText } from '../messages/use-text'
import { IconButton } from '../ui/button'
import { ChoiceMenu } from '../ui/menu'

const CHOICES = LOCALES.map((value) => ({ value, label: LOCALE_NAMES[value], lang: value }))

/** Chooses the language. Each one is named in itself, so that its readers find it. */
export function LocaleSwitch() {
  const text = useText()
  const choose = useLocaleChoice()
  const label = text('shell.language')
  return (
    <ChoiceMenu
      label={label}
      value={text.locale}
      choices={CHOICES}
      onChange={choose}
      trigger={
        <IconButton label={label}>
          <Languages size={14} strokeWidth={1.75} aria-hidden="true" />
        </IconButton>
      }
    />
  )
}
