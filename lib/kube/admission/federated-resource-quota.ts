/** FederatedResourceQuota: what its webhook refuses. */
import { textOfFindings } from '../field-error'
import type { FederatedResourceQuota } from '../kinds'
import type { KindRules } from '../rules'
import { validateQuota } from './validate-quota'
import { denied } from './webhook'

/** Rules of FederatedResourceQuota. */
export const federatedResourceQuotaRules: KindRules = {
  review: (object) => {
    const problem = textOfFindings(validateQuota(object as unknown as FederatedResourceQuota))
    if (problem) throw denied('federatedresourcequota.karmada.io', problem)
  },
}
