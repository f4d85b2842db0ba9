'use client'
import { useMutation } from '@tanstack/react-query'
import { CircleUser, Lock } from 'lucide-react'
import type { ComponentProps } from 'react'
import { LOGIN_PAGE, type SessionView } from '@/lib/view/login'
import { logOut } from '../hooks/actions'
import { useNow } from '../hooks/use-now'
import { StateGlyph } from '../status/state-glyph'
import { Button } from '../ui/button'
import { Popover } from '../ui/popover'
import { endInWords, shortName, wayInWords } from './session-words'
import { useSession } from './use-session'
import { wayOut } from './way-out'

/** Who is there, by which login and until when, and the way out. */
export function UserMenu() {
  const { data: session } = useSession()
  return (
    <Popover label="Who is logged in" trigger={<UserButton session={session} />}>
      {session === undefined ? <p>The console’s server has not yet said who you are.</p> : <Person session={session} />}
    </Popover>
  )
}

/** Takes what a trigger is given. */
function UserButton({ session, ...props }: { session: SessionView | undefined } & ComponentProps<'button'>) {
  const name = session === undefined ? '' : shortName(session.user)
  return (
    <button
      type="button"
      data-testid="user"
      title={session?.user}
      className="flex h-7 min-w-7 items-center gap-2 rounded-control px-2 text-left text-ink-2 hover:bg-sunken hover:text-ink"
      {...props}
    >
      <CircleUser size={14} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
      <span className="sr-only">Who is logged in: </span>
      <span className="max-w-32 truncate max-wide:sr-only">{name}</span>
    </button>
  )
}

function Person({ session }: { session: SessionView }) {
  const { user, groups, canLogout } = session
  const ends = endInWords(session, useNow())
  return (
    <div className="flex flex-col gap-3">
      <dl className="flex flex-col gap-2">
        <Fact
          term={session.via === 'local' ? 'The console acts as' : 'You are'}
          value={user === '' ? 'whoever its credentials say' : user}
        />
        <Fact term="Groups" value={groups.length === 0 ? 'none' : groups.join(', ')} />
        <Fact term="Login" value={wayInWords(session)} />
        {ends !== undefined && <Fact term="Session" value={ends} />}
      </dl>
      {session.via === 'local' && (
        <p className="text-ink-2">Whoever reaches this address may do what the console may do.</p>
      )}
      {session.readOnly && <p>This console was started read-only: it changes nothing, whoever asks.</p>}
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
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => wayOut.leaveAfter(async () => (await logOut()).continueAt ?? LOGIN_PAGE),
  })
  return (
    <>
      <Button onClick={() => mutate()} disabled={isPending}>
        Log out
      </Button>
      {error && (
        <p role="alert" className="flex items-center gap-2">
          <StateGlyph state="fail" />
          {`You are still logged in: ${error.message}`}
        </p>
      )}
    </>
  )
}

/** Stands where everybody sees it: nothing can be changed here. */
export function ReadOnlyMark() {
  const { data: session } = useSession()
  if (session?.readOnly !== true) return null
  return (
    <p
      data-testid="read-only"
      title="This console was started read-only"
      className="flex h-7 items-center gap-2 px-2 text-label"
    >
      <Lock size={14} strokeWidth={1.75} aria-hidden="true" />
      Read-only
    </p>
  )
}
