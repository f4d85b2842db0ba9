/** Options for places where this product deliberately corrects a defect of Karmada's interpreters. */
export interface InterpreterOptions {
  /**
   * Interpret exactly as Karmada does, including defects:
   * - the observedGeneration of a StatefulSet is not collected, so that of its template never advances;
   * - a number of replicas beyond 32 bits wraps instead of being rejected.
   */
  likeUpstream?: boolean
  /**
   * Add namespace and priority class to requirements, which quotas of members need. Default false, as upstream's
   * feature gate.
   */
  quotaEstimate?: boolean
}
