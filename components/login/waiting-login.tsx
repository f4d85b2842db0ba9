'use client'
import { useText } from '../messages/use-text'

/** What the server sends in place of the login page. */
export function WaitingLogin() {
  return <title>{useText()('login.documentTitle')}</title>
}
