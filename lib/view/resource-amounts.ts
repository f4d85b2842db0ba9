/** Amounts of resources as messages, for code that may not import the domain. */
export { amountMessage, figureOf, resourceName, usageMessage } from '@/lib/domain/queue/amount-message'
