/** What happens to a workload when its cluster or the workload itself fails. */
import { type Infer, array, int32, object, oneOf, string } from '../schema'

/** `spec.failover` of policies and bindings. */
export const failoverBehavior = object({
  application: object({
    decisionConditions: object({
      tolerationSeconds: int32({ default: 300 }),
    }),
    gracePeriodSeconds: int32(),
    purgeMode: oneOf(['Directly', 'Gracefully', 'Never'], { default: 'Gracefully' }),
    statePreservation: object({
      rules: array(object({
        aliasLabelName: string(),
        jsonPath: string(),
      }, { required: ['aliasLabelName', 'jsonPath'] })),
    }, { required: ['rules'] }),
  }, { required: ['decisionConditions'] }),
  cluster: object({
    purgeMode: oneOf(['Directly', 'Gracefully'], { default: 'Gracefully' }),
    statePreservation: object({
      rules: array(object({
        aliasLabelName: string(),
        jsonPath: string(),
      }, { required: ['aliasLabelName', 'jsonPath'] })),
    }, { required: ['rules'] }),
  }),
})

export type FailoverBehavior = Infer<typeof failoverBehavior>
