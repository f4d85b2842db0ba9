'use client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'next/navigation'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { loginProblemText, type LoginView, OIDC_START_PATH, ownPath } from '@/lib/view/login'
import { logIn, readLogin, readSession } from '../hooks/actions'
import { Button, buttonClass } from '../ui/button'
import { RetryButton } from '../ui/retry-button'
import { EmptyState } from '../ui/empty-state'
import { TextField } from '../ui/field'
import { Notice } from '../ui/notice'
import { SkeletonRows } from '../ui/skeleton'

/** Where people log in. Whoever is logged in already is led on. */
export function LoginPage() {
  const query = useSearchParams()
  const returnTo = ownPath(query.get('returnTo'))
  const login = useQuery({ queryKey: ['login'], queryFn: ({ signal }) => readLogin(signal), retry: false })
  const session = useQuery({
    queryKey: ['login', 'session'],
    queryFn: ({ signal }) => readSession(signal),
    retry: false,
  })
  const isIn = session.data !== undefined
  useEffect(() => {
    if (isIn) window.location.replace(returnTo)
  }, [isIn, returnTo])
  const problem = loginProblemText(query.get('problem') ?? undefined)
  if (login.error)
    return (
      <Frame>
        <Unanswered error={login.error} onRetry={() => void login.refetch()} />
      </Frame>
    )
  if (login.data === undefined || isIn || session.isPending)
    return (
      <Frame>
        <SkeletonRows rows={3} label="Asking how one logs in here" />
      </Frame>
    )
  return (
    <Frame problem={problem} notice={problem === undefined ? login.data.notice : undefined}>
      <Ways login={login.data} returnTo={returnTo} />
    </Frame>
  )
}

function Frame({
  problem,
  notice,
  children,
}: {
  problem?: string | undefined
  notice?: string | undefined
  children: ReactNode
}) {
  return (
    <main id="content" className="mx-auto flex min-h-dvh w-full max-w-[28rem] flex-col justify-center gap-6 px-6 py-12">
      <title>Log in · Evenkeel</title>
      <h1 className="text-title">Log in to Evenkeel</h1>
      {problem !== undefined && (
        <Notice state="fail" role="alert">
          <span data-testid="login-problem">{problem}</span>
        </Notice>
      )}
      {notice !== undefined && (
        <Notice state="warn">
          <span data-testid="login-notice">{notice}</span>
        </Notice>
      )}
      {children}
    </main>
  )
}

function Unanswered({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <EmptyState title="Nobody can log in at present">
      <p>{error.message}</p>
      <p>
        <RetryButton error={error} onRetry={onRetry} />
      </p>
    </EmptyState>
  )
}

function Ways({
  login: { ways, provider = 'your identity provider' },
  returnTo,
}: {
  login: LoginView
  returnTo: string
}) {
  const byProvider = ways.includes('oidc')
  return (
    <>
      {byProvider && (
        // A plain link: the way leads out of the console.
        <a href={`${OIDC_START_PATH}?returnTo=${encodeURIComponent(returnTo)}`} className={buttonClass('primary')}>
          {`Log in with ${provider}`}
        </a>
      )}
      {ways.includes('token') && <TokenForm returnTo={returnTo} primary={!byProvider} />}
    </>
  )
}

/** The token leaves the browser once, and is not kept in it. */
function TokenForm({ returnTo, primary }: { returnTo: string; primary: boolean }) {
  const [token, setToken] = useState('')
  const { mutate, isPending, isSuccess, error, reset } = useMutation({
    mutationFn: logIn,
    onSuccess: () => window.location.replace(returnTo),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isPending) mutate(token.trim())
  }
  const change = (text: string) => {
    setToken(text)
    if (error) reset()
  }
  return (
    // A browser that sends the form by itself must not write the token into an address.
    <form method="post" onSubmit={submit} className="flex flex-col gap-3" aria-label="Log in with a token">
      <TextField
        label="Token"
        type="password"
        name="token"
        autoComplete="off"
        required
        value={token}
        onChange={({ target }) => change(target.value)}
        hint="A bearer token that the control plane accepts. It is checked there, and not kept in this browser."
        error={error?.message}
      />
      <Button
        type="submit"
        variant={primary ? 'primary' : 'secondary'}
        disabled={token.trim() === '' || isPending || isSuccess}
      >
        {isPending || isSuccess ? 'Checking the token' : 'Log in with the token'}
      </Button>
      <details className="text-ink-2">
        <summary>Where do I find a token?</summary>
        <p className="mt-2">
          <code className="mono">kubectl create token &lt;service account&gt; -n &lt;namespace&gt;</code> makes one that
          is good for an hour. What you may see and do here is what that account may.
        </p>
      </details>
    </form>
  )
}
