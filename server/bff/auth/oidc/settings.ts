/** How an identity provider is used; in the words of the flags of a kube-apiserver where it has them. */
export interface OidcSettings {
  issuer: string
  clientId: string
  /** Absent for public clients: PKCE protects the code in any case. */
  clientSecret?: string
  /** Default: `openid profile email`, and `groups` and `offline_access` where the provider has them. */
  scopes?: readonly string[]
  usernameClaim: string
  /** Default: none for the claim `email`, else `<issuer>#`. `-` means none. */
  usernamePrefix?: string
  groupsClaim: string
  groupsPrefix: string
}
