import { Suspense } from 'react'
import { LoginPage } from '@/components/login/login-page'
import { WaitingLogin } from '@/components/login/waiting-login'
import { InBrowser } from '@/components/shell/in-browser'

/** Drawn in the browser: only there it is known which session it shows. */
export default function Login() {
  return (
    <InBrowser fallback={<WaitingLogin />}>
      <Suspense>
        <LoginPage />
      </Suspense>
    </InBrowser>
  )
}
