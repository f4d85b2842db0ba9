'use client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'next/navigation'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { isLoginProblem, type LoginView, OIDC_START_PATH, ownPath } from '@/lib/view/login'
import { logIn, readLogin, readSession } from '../hooks/actions'
import { Rich } from '../messages/rich'
import { useText } from '../messages/use-text'
import { Button, buttonClass } from '../ui/button'
import { RetryButton } from '../ui/retry-button'
import { EmptyState } from '../ui/empty-state'
import { TextField } from '../ui/field'
import { Notice } from '../ui/notice'
import { SkeletonRows } from '../ui/skeleton'

/** Where users log in. A user with a session is sent on. */
export function LoginPage() {
  const text = useText()
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
  const problem = query.get('problem')
  if (login.error)
    return (
      <Frame>
        <Unanswered error={login.error} onRetry={() => void login.refetch()} />
      </Frame>
    )
  if (login.data === undefined || isIn || session.isPending)
    return (
      <Frame>
        <SkeletonRows rows={3} label={text('login.loading')} />
      </Frame>
    )
  return (
    <Frame
      problem={isLoginProblem(problem) ? text(`login.problem.${problem}`) : undefined}
      notice={isLoginProblem(problem) ? undefined : login.data.notice}
    >
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
  const text = useText()
  return (
    <main id="content" className="mx-auto flex min-h-dvh w-full max-w-[28rem] flex-col justify-center gap-6 px-6 py-12">
      <title>{text('login.documentTitle')}</title>
      <h1 className="text-title">{text('login.title')}</h1>
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
  const text = useText()
  return (
    <EmptyState title={text('login.unavailable')}>
      <p>{error.message}</p>
      <p>
        <RetryButton error={error} onRetry={onRetry} />
      </p>
    </EmptyState>
  )
}

function Ways({ login: { ways, provider }, returnTo }: { login: LoginView; returnTo: string }) {
  const text = useText()
  const byProvider = ways.includes('oidc')
  return (
    <>
      {byProvider && (
        // A plain link: the way leads out of the console.
        <a href={`${OIDC_START_PATH}?returnTo=${encodeURIComponent(returnTo)}`} className={buttonClass('primary')}>
          {text('login.withProvider', { provider: provider ?? text('login.someProvider') })}
        </a>
      )}
      {ways.includes('token') && <TokenForm returnTo={returnTo} primary={!byProvider} />}
    </>
  )
}

/** The token leaves the browser once, and is not kept in it. */
function TokenForm({ returnTo, primary }: { returnTo: string; primary: boolean }) {
  const text = useText()
  const [token, setToken] = useState('')
  const { mutate, isPending, isSuccess, error, reset } = useMutation({
    mutationFn: logIn,
    onSuccess: () => window.location.replace(returnTo),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isPending) mutate(token.trim())
  }
  const change = (typed: string) => {
    setToken(typed)
    if (error) reset()
  }
  return (
    // A browser that sends the form by itself must not write the token into an address.
    <form method="post" onSubmit={submit} className="flex flex-col gap-3" aria-label={text('login.withToken')}>
      <TextField
        label={text('login.token')}
        type="password"
        name="token"
        autoComplete="off"
        required
        value={token}
        onChange={({ target }) => change(target.value)}
        hint={text('login.tokenHint')}
        error={error?.message}
      />
      <Button
        type="submit"
        variant={primary ? 'primary' : 'secondary'}
        disabled={token.trim() === '' || isPending || isSuccess}
      >
        {text(isPending || isSuccess ? 'login.checking' : 'login.withToken')}
      </Button>
      <details className="text-ink-2">
        <summary>{text('login.whereToken')}</summary>
        <p className="mt-2">
          <Rich
            code="login.createToken"
            parts={{ command: <code className="mono">{text('login.createTokenCommand')}</code> }}
          />
        </p>
      </details>
    </form>
  )
}
