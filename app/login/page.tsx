import { Suspense } from 'react'
import { LoginPage } from '@/components/login/login-page'
import { InBrowser } from '@/components/shell/in-browser'

/** Drawn in the browser: only there it is known which session it shows. */
export default function Login() {
  return (
    <InBrowser fallback={<title>Log in · Evenkeel</title>}>
      <Suspense>
        <LoginPage />
      </Suspense>
    </InBrowser>
  )
}
