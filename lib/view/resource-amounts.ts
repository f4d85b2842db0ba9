/** Re-exports amounts of resources as messages, for code that must not import the domain. */
export { amountMessage, figureOf, resourceName, usageMessage } from '@/lib/domain/queue/amount-message'
