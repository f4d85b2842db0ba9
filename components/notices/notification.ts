/** Notifications of the browser. Not every page may use them: they need https, or the local machine. */
const constructor = (): typeof Notification | undefined => (globalThis as Partial<typeof globalThis>).Notification

export type Permission = 'unsupported' | NotificationPermission

export const permission = (): Permission => constructor()?.permission ?? 'unsupported'
export const canNotify = (): boolean => permission() === 'granted'

/** Asks the user, who may have decided before. */
export const askPermission = async (): Promise<Permission> =>
  (await constructor()?.requestPermission()) ?? 'unsupported'

/** One with the same tag replaces the one before. */
export function notify({ body, tag, open }: { body: string; tag: string; open?: () => void }): void {
  const Shown = constructor()
  if (!Shown || !canNotify()) return
  try {
    const shown = new Shown('Evenkeel', { body, tag, icon: '/favicon.svg' })
    shown.addEventListener('click', () => {
      window.focus()
      shown.close()
      open?.()
    })
  } catch {
    // Chrome on Android has the constructor and refuses it.
  }
}
