'use client'
import { Monitor, Moon, Sun } from 'lucide-react'
import { useTheme } from 'next-themes'
import { IconButton } from '../ui/button'
import { ChoiceMenu } from '../ui/menu'

type Theme = 'system' | 'light' | 'dark'

const CHOICES: readonly { value: Theme; label: string }[] = [
  { value: 'system', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]
const ICONS = { system: Monitor, light: Sun, dark: Moon }

export function ThemeSwitch() {
  const { theme, setTheme } = useTheme()
  const chosen = CHOICES.find(({ value }) => value === theme)?.value ?? 'system'
  return (
    <ChoiceMenu
      label="Theme"
      value={chosen}
      choices={CHOICES}
      onChange={setTheme}
      trigger={<ThemeButton theme={chosen} />}
    />
  )
}

function ThemeButton({ theme, ...props }: { theme: Theme }) {
  const Icon = ICONS[theme]
  return (
    <IconButton label="Theme" {...props}>
      {/* The server does not know the choice, so the icon settles after the first paint. */}
      <span suppressHydrationWarning>
        <Icon size={14} strokeWidth={1.75} aria-hidden="true" />
      </span>
    </IconButton>
  )
}
