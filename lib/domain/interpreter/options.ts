/** Where the control plane's own interpreters are plainly wrong, ours are right unless told to be the same. */
export interface InterpreterOptions {
  /**
   * Interpret exactly as Karmada does, also where that is wrong:
   * - the observedGeneration of a StatefulSet is not collected, so that of its template never advances;
   * - a number of replicas beyond 32 bits wraps around instead of being refused.
   */
  likeUpstream?: boolean
  /** Requirements name the namespace and the priority class, by which quotas of members count. Default false, as upstream's gate. */
  quotaEstimate?: boolean
}
