/** Amounts of resources as messages, for those who may not import the domain. */
export { amountMessage, figureOf, resourceName, usageMessage } from '@/lib/domain/queue/amount-message'
