'use client'
import { useId, useState } from 'react'
import { useText } from '../messages/use-text'
import { Button } from '../ui/button'
import { LabelledCheckbox } from '../ui/checkbox'
import { Choice } from '../ui/choice'
import { Drawer } from '../ui/drawer'
import { askPermission, notify, type Permission, permission } from './notification'
import { type NoticeSettings, SOUNDS } from './settings'
import { play } from './tones'
import { saveNoticeSettings, showSettings, useNoticeSettings, useSettingsOpen } from './use-settings'

/** Settings of incident notices in this browser, with tests. */
export function SettingsDrawer() {
  const text = useText()
  const isOpen = useSettingsOpen()
  return (
    <Drawer
      open={isOpen}
      onClose={() => showSettings(false)}
      title={text('notices.settings.title')}
      description={text('notices.settings.description')}
    >
      <Form />
    </Drawer>
  )
}

function Form() {
  const text = useText()
  const settings = useNoticeSettings()
  const save = (change: Partial<NoticeSettings>) => saveNoticeSettings({ ...settings, ...change })
  return (
    <div className="flex flex-col gap-6" data-testid="notice-settings">
      <NotificationChoice settings={settings} save={save} />
      <SoundChoice settings={settings} save={save} />
      <p className="text-ink-2">{text('notices.settings.oneTab')}</p>
    </div>
  )
}

interface ChoiceProps {
  settings: NoticeSettings
  save: (change: Partial<NoticeSettings>) => void
}

function NotificationChoice({ settings: { notifications }, save }: ChoiceProps) {
  const text = useText()
  const [allowed, setAllowed] = useState<Permission>(permission)
  const isOn = notifications && allowed === 'granted'
  const choose = async (on: boolean) => {
    save({ notifications: on })
    if (on) setAllowed(await askPermission())
  }
  return (
    <div className="flex flex-col items-start gap-2">
      <LabelledCheckbox
        label={text('notices.settings.notifications')}
        checked={isOn}
        disabled={allowed === 'unsupported'}
        onCheckedChange={(on) => void choose(on)}
      />
      <output className="block text-ink-2">
        {allowed === 'unsupported' && text('notices.settings.unsupported')}
        {allowed === 'denied' && text('notices.settings.denied')}
        {allowed === 'default' && notifications && text('notices.settings.asking')}
      </output>
      <Button disabled={!isOn} onClick={() => notify({ body: text('notices.test'), tag: 'test' })}>
        {text('notices.settings.testNotification')}
      </Button>
    </div>
  )
}

function SoundChoice({ settings: { sound, volume }, save }: ChoiceProps) {
  const text = useText()
  const id = useId()
  return (
    <div className="flex flex-col items-start gap-3">
      <Choice
        label={text('notices.settings.sound')}
        value={sound}
        options={SOUNDS.map((value) => ({ value, label: text(`notices.sound.${value}`) }))}
        onChange={(chosen) => save({ sound: chosen })}
      />
      <div className="flex flex-col gap-0.5">
        <label htmlFor={id} className="text-label text-ink-2">
          {text('notices.settings.volume')}
        </label>
        <input
          id={id}
          type="range"
          min={0}
          max={100}
          step={5}
          value={volume}
          aria-valuetext={text('notices.settings.percent', { n: volume })}
          onChange={({ target }) => save({ volume: target.valueAsNumber })}
          className="w-48 accent-ink"
        />
      </div>
      <Button disabled={sound === 'off'} onClick={() => void play(sound, volume)}>
        {text('notices.settings.testSound')}
      </Button>
    </div>
  )
}
