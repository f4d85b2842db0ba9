'use client'
import { useEffect, useSyncExternalStore } from 'react'
import { useText } from '../messages/use-text'
import { ICONS, tabState, tabTitle } from './tab-state'
import { useCollectionUpdates } from './use-collection-updates'

const isHidden = () => document.hidden

function onVisibility(listener: () => void) {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}

/** Shows in the icon and the title of the tab what fails. */
export function TabIndicator() {
  const text = useText()
  const hidden = useSyncExternalStore(onVisibility, isHidden, () => false)
  const failovers = useCollectionUpdates('failover-now').entities.get('now')
  const summary = useCollectionUpdates('summary').entities.get('now')
  useEffect(() => {
    const facts = { failovers, summary }
    return keepHead({ icon: ICONS[tabState(facts)], decorate: (title) => tabTitle(text, title, { facts, hidden }) })
  }, [failovers, summary, hidden, text])
  return null
}

interface Head {
  icon: string
  decorate: (title: string) => string
}

/** Keeps icon and title, also when a page sets a title of its own, until stopped. */
function keepHead({ icon, decorate }: Head): () => void {
  let title = document.title
  let shown = ''
  const show = (): void => {
    shown = decorate(title)
    if (document.title !== shown) document.title = shown
    for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel~="icon"]'))
      if (link.getAttribute('href') !== icon) link.setAttribute('href', icon)
  }
  show()
  const observer = new MutationObserver(() => {
    if (document.title !== shown) title = document.title
    show()
  })
  observer.observe(document.head, { childList: true, subtree: true, characterData: true })
  return () => {
    observer.disconnect()
    if (document.title === shown) document.title = title
  }
}
