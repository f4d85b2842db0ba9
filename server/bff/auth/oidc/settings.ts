/** Settings of an identity provider, named like the flags of kube-apiserver where they exist there. */
export interface OidcSettings {
  issuer: string
  clientId: string
  /** Absent for public clients: PKCE protects the code in any case. */
  clientSecret?: string
  /** Default: `openid profile email`, and `groups` and `offline_access` if the provider offers them. */
  scopes?: readonly string[]
  usernameClaim: string
  /** Default: none for the claim `email`, else `<issuer>#`. `-` means none. */
  usernamePrefix?: string
  groupsClaim: string
  groupsPrefix: string
}
