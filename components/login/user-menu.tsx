'use client'
import { useMutation } from '@tanstack/react-query'
import { CircleUser, Lock } from 'lucide-react'
import type { ComponentProps } from 'react'
import { LOGIN_PAGE, type SessionView } from '@/lib/view/login'
import { logOut } from '../hooks/actions'
import { useNow } from '../hooks/use-now'
import { useText } from '../messages/use-text'
import { StateGlyph } from '../status/state-glyph'
import { Button } from '../ui/button'
import { closedPart } from '../ui/later-part'
import { Popover } from '../ui/popover'
import { describeEnd, shortName } from './session-words'
import { useSession } from './use-session'
import { wayOut } from './way-out'

const NoticesButton = closedPart(() => import('../notices/settings-button').then((code) => code.SettingsButton))

/** The current user, their login and when it ends, and the logout. */
export function UserMenu() {
  const text = useText()
  const { data: session } = useSession()
  return (
    <Popover
      label={text('login.user.label')}
      trigger={<UserButton session={session} />}
      className="w-72 animate-overlay rounded-panel border border-line bg-paper p-3 shadow-overlay outline-none"
    >
      {(id) => (
        <div className="flex flex-col gap-3">
          {session === undefined ? <p>{text('login.user.loading')}</p> : <Person session={session} />}
          <NoticesButton popover={id} />
        </div>
      )}
    </Popover>
  )
}

/** Takes what a trigger is given. */
function UserButton({ session, ...props }: { session: SessionView | undefined } & ComponentProps<'button'>) {
  const text = useText()
  const name = session === undefined ? '' : shortName(session.user) || text('login.user.unknown')
  return (
    <button
      type="button"
      data-testid="user"
      title={session?.user}
      className="flex h-7 min-w-7 items-center gap-2 rounded-control px-2 text-left text-ink-2 hover:bg-sunken hover:text-ink"
      {...props}
    >
      <CircleUser size={14} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
      <span className="sr-only">{text('login.user.button', { name })}</span>
      <span aria-hidden="true" className="max-w-32 truncate max-wide:hidden">
        {name}
      </span>
    </button>
  )
}

function Person({ session }: { session: SessionView }) {
  const { user, groups, canLogout } = session
  const text = useText()
  const ends = describeEnd(text, session, useNow())
  return (
    <div className="flex flex-col gap-3">
      <dl className="flex flex-col gap-2">
        <Fact
          term={text(session.via === 'local' ? 'login.user.actsAs' : 'login.user.name')}
          value={user === '' ? text('login.user.byCredentials') : user}
        />
        <Fact
          term={text('login.user.groups')}
          value={groups.length === 0 ? text('login.user.noGroups') : groups.join(', ')}
        />
        <Fact term={text('login.user.login')} value={text(`login.user.via.${session.via}`)} />
        {ends !== undefined && <Fact term={text('login.user.session')} value={ends} />}
      </dl>
      {session.via === 'local' && <p className="text-ink-2">{text('login.user.localHint')}</p>}
      {session.readOnly && <p>{text('login.user.readOnlyHint')}</p>}
      {canLogout && <LogOut />}
    </div>
  )
}

function Fact({ term, value }: { term: string; value: string }) {
  return (
    <div>
      <dt className="text-label text-ink-2">{term}</dt>
      <dd className="break-words">{value}</dd>
    </div>
  )
}

function LogOut() {
  const text = useText()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => wayOut.leaveAfter(async () => (await logOut()).continueAt ?? LOGIN_PAGE),
  })
  return (
    <>
      <Button onClick={() => mutate()} disabled={isPending}>
        {text('login.user.logOut')}
      </Button>
      {error && (
        <p role="alert" className="flex items-center gap-2">
          <StateGlyph state="fail" />
          {text('login.user.logOutFailed', { reason: error.message })}
        </p>
      )}
    </>
  )
}

/** Shows on all pages that the console is read-only. */
export function ReadOnlyMark() {
  const text = useText()
  const { data: session } = useSession()
  if (session?.readOnly !== true) return null
  return (
    <p
      data-testid="read-only"
      title={text('login.user.readOnlyTitle')}
      className="flex h-7 items-center gap-2 px-2 text-label"
    >
      <Lock size={14} strokeWidth={1.75} aria-hidden="true" />
      {text('login.user.readOnly')}
    </p>
  )
}
