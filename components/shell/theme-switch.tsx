'use client'
import { Monitor, Moon, Sun } from 'lucide-react'
import { useTheme } from 'next-themes'
import { useText } from '../messages/use-text'
import { IconButton } from '../ui/button'
import { ChoiceMenu } from '../ui/menu'

export const THEMES = ['system', 'light', 'dark'] as const
type Theme = (typeof THEMES)[number]

const ICONS = { system: Monitor, light: Sun, dark: Moon }

export function ThemeSwitch() {
  const text = useText()
  const { theme, setTheme } = useTheme()
  const chosen = THEMES.find((each) => each === theme) ?? 'system'
  return (
    <ChoiceMenu
      label={text('shell.theme')}
      value={chosen}
      choices={THEMES.map((value) => ({ value, label: text(`shell.themes.${value}`) }))}
      onChange={setTheme}
      trigger={<ThemeButton theme={chosen} label={text('shell.theme')} />}
    />
  )
}

function ThemeButton({ theme, ...props }: { theme: Theme; label: string }) {
  const Icon = ICONS[theme]
  return (
    <IconButton {...props}>
      {/* The server does not know the choice, so the icon settles after the first paint. */}
      <span suppressHydrationWarning>
        <Icon size={14} strokeWidth={1.75} aria-hidden="true" />
      </span>
    </IconButton>
  )
}
