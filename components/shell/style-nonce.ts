import { useInsertionEffect } from 'react'

declare global {
  /** Where libraries that add style sheets at run time (dialogs lock scrolling that way) look for the nonce. */
  var __webpack_nonce__: string | undefined
}

/** Lets style sheets that are added at run time pass the policy of this page. The nonce is that of the document, for good. */
export function useStyleNonce(nonce: string | undefined): void {
  useInsertionEffect(() => allow(nonce), [nonce])
}

function allow(nonce: string | undefined): void {
  globalThis.__webpack_nonce__ ??= nonce
}
